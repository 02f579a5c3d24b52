//! Says whether the target has fibers (`cfg(fibers)`): corosensei switches stacks on it. Elsewhere (POWER) each fiber
//! is an OS thread. `PENSTOCK_BUILD_WITHOUT_FIBERS=1` builds that way anywhere, to test it.

fn main() {
    println!("cargo:rustc-check-cfg=cfg(fibers)");
    println!("cargo:rerun-if-env-changed=PENSTOCK_BUILD_WITHOUT_FIBERS");
    println!("cargo:rerun-if-changed=build.rs");
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let is_forced = std::env::var_os("PENSTOCK_BUILD_WITHOUT_FIBERS").is_some();
    if ["x86_64", "aarch64"].contains(&architecture.as_str()) && !is_forced {
        println!("cargo:rustc-cfg=fibers");
    }
}
