//! Storing, casting and comparing against what MariaDB 10.11 does.
