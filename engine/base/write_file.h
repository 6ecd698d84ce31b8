// The way out for files that people ask for by name, and for what is kept between sessions.
#pragma once

#include <filesystem>
#include <string_view>

namespace tpulab {

// Puts the text in the place of what was there, whole or not at all: a full disk leaves the old
// file. Throws Error, which names the file.
void write_file(const std::filesystem::path& path, std::string_view text);
// The same for a file that must not be there yet.
void create_file(const std::filesystem::path& path, std::string_view text);
// Makes what is missing of a folder that people name. Throws Error, which names it.
void make_folders(const std::filesystem::path& folder);
// Folders for a person's own files: private ones, as the XDG base directory specification asks for;
// those that are there stay as they are. 0 or errno.
int make_private_folders(const std::filesystem::path& folder);

}  // namespace tpulab
