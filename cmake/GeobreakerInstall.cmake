# Filled when the libraries exist: package config, .pc files.
