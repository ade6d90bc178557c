#include "config/load.hpp"

#include "config/check.hpp"
#include "config/file_faults.hpp"
#include "config/keys.hpp"
#include "config/nearest.hpp"
#include "config/quote.hpp"
#include "config/toml_value.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace geobreaker::config {
namespace {

constexpr std::size_t largest_file = 1U << 20U;

Position position(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }
Position position(const toml::node& node) { return position(node.source()); }

/// One table of the file: how Fault::at and how messages call it.
struct Place {
  std::string path;
  std::string label;
};

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

/// Where a key of this name is known: "`store.timeout` or `provider.timeout`"; empty if nowhere.
std::string homes_of(std::string_view name) {
  std::string homes;
  for (const std::string& key : known_keys()) {
    if (last_part(key) != name) continue;
    homes.append(homes.empty() ? "`" : " or `").append(key).append("`");
  }
  return homes;
}

/// What `name` was probably meant to be: the same key in another table, or a similar one in this table or
/// another.
std::string meaning_of(std::string_view name, std::span<const std::string_view> valid) {
  if (std::string homes = homes_of(name); !homes.empty()) return homes;
  if (const std::string_view near = nearest(name, valid); !near.empty()) return "`" + std::string(near) + "`";
  const std::vector<std::string> keys = known_keys();
  std::vector<std::string_view> names;
  for (const std::string& key : keys) names.push_back(last_part(key));
  const std::string_view elsewhere = nearest(name, names);
  return elsewhere.empty() ? std::string() : homes_of(elsewhere);
}

std::string unknown_key(std::string_view name, bool is_table, const std::string& label,
                        std::span<const std::string_view> valid) {
  std::string text = is_table ? "unknown table " : "unknown key ";
  const std::string shown_name = in_quotes(name);
  text.append("`")
      .append(std::string_view(shown_name).substr(1, shown_name.size() - 2))
      .append("` ")
      .append(label);
  const std::string meant = meaning_of(name, valid);
  if (!meant.empty()) return text + ": did you mean " + meant + "?";
  return text + ": allowed is " + listed(valid);
}

class Reader {
 public:
  explicit Reader(std::string_view source_name) : faults_(source_name) {}

  Result<Settings> read(const toml::table& root) {
    refuse_unknown_tables(root);
    section(root, "store", {"store", "[store]"}, store_keys(), settings_.store);
    section(root, "breaker", {"breaker", "[breaker]"}, breaker_keys(), settings_.breaker);
    section(root, "batch", {"batch", "[batch]"}, batch_keys(), settings_.batch);
    providers(root);
    if (settings_.providers.empty()) settings_.providers = inherited(default_settings().providers);
    for (const Fault& fault : faults(settings_)) faults_.add(fault);
    if (!faults_.empty()) return faults_.as_error();
    return std::move(settings_);
  }

 private:
  void refuse_unknown_tables(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const auto tables = top_level_tables();
      if (std::find(tables.begin(), tables.end(), key.str()) != tables.end()) continue;
      const bool is_table = node.is_table() || node.is_array_of_tables();
      faults_.add(position(key.source()), unknown_key(key.str(), is_table, "at the top of the file", tables));
    }
  }

  /// Reads the table `name` of `parent`, if it is there, into `values`.
  template <class Values>
  void section(const toml::table& parent, std::string_view name, const Place& place,
               std::span<const Key<Values>> keys, Values& values) {
    const toml::node* const node = parent.get(name);
    if (node == nullptr) return;
    if (const auto* table = node->as_table()) {
      faults_.locate(place.path, position(*node));
      fields(*table, place, keys, {}, values);
    } else {
      const std::string example = " such as { " + std::string(keys.front().name) + " = ... }";
      faults_.add(position(*node), place.label + wrong_type(*node, "a table" + example));
    }
  }

  /// Reads the keys of one table; `tables` are the names in it that somebody else reads.
  template <class Values>
  void fields(const toml::table& table, const Place& place, std::span<const Key<Values>> keys,
              std::span<const std::string_view> tables, Values& values) {
    for (const auto& [name, node] : table) {
      if (std::find(tables.begin(), tables.end(), name.str()) != tables.end()) continue;
      const auto key =
          std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == name.str(); });
      if (key == keys.end()) {
        std::vector<std::string_view> valid;
        for (const auto& k : keys) valid.push_back(k.name);
        valid.insert(valid.end(), tables.begin(), tables.end());
        faults_.add(position(name.source()),
                    unknown_key(name.str(), node.is_table(), "in " + place.label, valid));
        continue;
      }
      field(*key, node, place, values);
    }
  }

  template <class Values>
  void field(const Key<Values>& key, const toml::node& node, const Place& place, Values& values) {
    const std::string path = place.path + "." + std::string(key.name);
    faults_.locate(path, position(node));
    const Complaint complaint =
        std::visit([&](auto member) { return read_value(node, values.*member); }, key.member);
    if (!complaint) return;
    faults_.add_unread(path, position(node),
                       "`" + std::string(key.name) + "` in " + place.label + *complaint);
  }

  void providers(const toml::table& root) {
    const toml::node* const node = root.get("provider");
    if (node == nullptr) return;
    const toml::array* const list = node->as_array();
    if (list == nullptr) {
      faults_.add(position(*node),
                  node->is_table() ? "[provider] must be written [[provider]]: it is a list, one entry each"
                                   : "`provider`" + wrong_type(*node, "tables headed [[provider]]"));
      return;
    }
    for (const toml::node& entry : *list) provider(entry);
  }

  void provider(const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) {
      faults_.add(position(node), "`provider`" + wrong_type(node, "tables headed [[provider]]"));
      return;
    }
    const std::size_t index = settings_.providers.size();
    ProviderSettings& provider = settings_.providers.emplace_back();
    provider.breaker = settings_.breaker;
    const std::string path = "provider." + std::to_string(index + 1);
    faults_.locate(path, position(node));
    const char* const names_it = table->contains("name") ? "name" : "kind";  // the name defaults to the kind
    const auto* name = table->get_as<std::string>(names_it);
    const std::string label = provider_label(name == nullptr ? "" : name->get(), index);
    fields(*table, {path, label}, provider_keys(), provider_tables(), provider);
    section(*table, "retry", {path + ".retry", label + ", retry"}, retry_keys(), provider.retry);
    section(*table, "breaker", {path + ".breaker", label + ", breaker"}, breaker_keys(), provider.breaker);
    if (!table->contains("name")) provider.name = provider.kind;
  }

  [[nodiscard]] std::vector<ProviderSettings> inherited(std::vector<ProviderSettings> list) const {
    for (ProviderSettings& provider : list) provider.breaker = settings_.breaker;
    return list;
  }

  FileFaults faults_;
  Settings settings_;
};

Error unreadable(const std::string& path, std::string_view reason) {
  return {Errc::unreadable, "configuration " + in_quotes(path) + " cannot be read: " + std::string(reason)};
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, std::string_view source_name) {
  try {
    return Reader(source_name).read(toml::parse(text, source_name));
  } catch (const toml::parse_error& error) {
    FileFaults syntax(source_name);
    syntax.add(position(error.source()), "this is no TOML: " + std::string(error.description()));
    return syntax.as_error();
  }
}

Result<Settings> load_settings(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return unreadable(path, std::strerror(errno));
  std::string text(largest_file + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return unreadable(path, std::strerror(errno));
  if (text.size() > largest_file) return unreadable(path, "it is larger than 1 MiB");
  return parse_settings(text, path);
}

}  // namespace geobreaker::config
