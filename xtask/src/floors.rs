//! The floors of the house, as `floors.toml` says: a room lies in `floors/<floor>/<room>` and imports only from
//! floors below its own, and where it may not hold `unsafe` code the compiler forbids it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cargo_metadata::{Metadata, MetadataCommand, Package};
use serde::Deserialize;

use crate::Outcome;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct House {
    rooms: BTreeMap<String, Room>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    /// None: a library of its own, which imports from no room.
    floor: Option<u32>,
    #[serde(default, rename = "unsafe")]
    may_be_unsafe: bool,
}

/// Checks the workspace at `root`.
pub fn check(root: &Path) -> Outcome {
    let text =
        fs::read_to_string(root.join("floors.toml")).map_err(|e| vec![format!("read floors.toml: {e}")])?;
    let house: House = toml::from_str(&text).map_err(|e| vec![format!("read floors.toml: {e}")])?;
    let mut command = MetadataCommand::new();
    command.manifest_path(root.join("Cargo.toml")).no_deps();
    let metadata = command.exec().map_err(|e| vec![format!("cargo metadata: {e}")])?;
    let complaints = complaints(root, &house, &metadata);
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

fn complaints(root: &Path, house: &House, metadata: &Metadata) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut seen = Vec::new();
    for package in metadata.workspace_packages() {
        let name = room_name(&package.name);
        if ["fuzz", "xtask"].contains(&name) {
            continue;
        }
        match house.rooms.get(name) {
            Some(room) => complaints.extend(complaints_about(root, house, package, room)),
            None => complaints.push(format!("{name}: not in floors.toml")),
        }
        seen.push(name);
    }
    let missing = house.rooms.keys().filter(|name| !seen.contains(&name.as_str()));
    complaints.extend(missing.map(|name| format!("{name}: in floors.toml, but no such crate")));
    complaints
}

fn complaints_about(root: &Path, house: &House, package: &Package, room: &Room) -> Vec<String> {
    let name = room_name(&package.name);
    let mut complaints = Vec::new();
    if let Some(floor) = room.floor {
        let folder = root.join(format!("floors/{floor}/{name}"));
        if !folder.join("Cargo.toml").exists() {
            complaints.push(format!("{name}: belongs into {}", folder.display()));
        }
    }
    for dependency in &package.dependencies {
        let below = room_name(&dependency.name);
        if let (Some(other), Some(_)) = (house.rooms.get(below), &dependency.path)
            && room.floor.is_none_or(|own| other.floor.is_none_or(|floor| floor >= own))
        {
            complaints.push(format!("{name}: imports {below}, which is not on a floor below"));
        }
    }
    if !room.may_be_unsafe {
        for target in package.targets.iter().filter(|target| target.is_lib() || target.is_bin()) {
            let source = fs::read_to_string(&target.src_path).unwrap_or_default();
            if !source.contains("#![forbid(unsafe_code)]") {
                complaints.push(format!("{}: lacks #![forbid(unsafe_code)]", target.src_path));
            }
        }
    }
    complaints
}

/// The room of the crate `package`.
fn room_name(package: &str) -> &str {
    package.strip_prefix("penstock-").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_go_downwards_only() {
        let outcome = check(&crate::root());
        assert!(outcome.is_ok(), "{}", outcome.unwrap_err().join("\n"));
    }

    /// A house of two rooms, `upper` on floor 2 and `lower` on floor 1, and what is wrong with it.
    fn wrong_with(upper_uses: &str, lower_uses: &str, lower_source: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[workspace]\nresolver = '3'\nmembers = ['floors/*/*']\n");
        write("floors.toml", "[rooms]\nupper = { floor = 2, unsafe = true }\nlower = { floor = 1 }\n");
        for (name, floor, uses) in [("upper", 2, upper_uses), ("lower", 1, lower_uses)] {
            let manifest = format!("[package]\nname = 'penstock-{name}'\nedition = '2024'\n{uses}\n");
            write(&format!("floors/{floor}/{name}/Cargo.toml"), &manifest);
        }
        write("floors/2/upper/src/lib.rs", "");
        write("floors/1/lower/src/lib.rs", lower_source);
        check(root).err().unwrap_or_default()
    }

    #[test]
    fn what_is_wrong_with_a_house_is_found() {
        let forbid = "#![forbid(unsafe_code)]";
        let on_lower = "[dependencies]\npenstock-lower = { path = '../../1/lower' }";
        let on_upper = "[dev-dependencies]\npenstock-upper = { path = '../../2/upper' }";
        assert_eq!(wrong_with(on_lower, "", forbid), Vec::<String>::new());
        let upwards = wrong_with("", on_upper, forbid);
        assert_eq!(upwards, ["lower: imports upper, which is not on a floor below"]);
        let lax = wrong_with("", "", "");
        assert!(lax.len() == 1 && lax[0].ends_with("lib.rs: lacks #![forbid(unsafe_code)]"), "{lax:?}");
    }
}
