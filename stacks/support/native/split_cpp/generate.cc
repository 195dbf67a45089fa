// Writes the C++ of both sides of a split (calls.hh): what tests ask for, and the classes of the include files, member by member.
//
//   readelf -wi HEADERS.o | generate NAMES INCLUDE-FILE...     NAMES: mangled, a line each
//
// Makes classes.inc, functions.inc, and uses.inc, by which classes that are made of templates are there for a second look. What a function takes is in its mangled name, what it returns the compiler says (decltype); which members a
// class has, and which methods are static, is in debug information. Where something cannot cross, a static assertion says so in one sentence
// (build.sh shows it).
#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Entry {
  int depth = 0, parent = -1;
  long type = 0, access = 0;
  std::string tag, name, linkage;
  bool external = false, declaration = false, of_object = false, is_bits = false, artificial = false;
};

std::vector<Entry> entries;
std::map<long, int> by_offset;

[[noreturn]] void Refuse(const std::string& why) {
  std::cerr << "with params.split " << why << "\n";
  std::exit(1);
}

// Debug information -----------------------------------------------------------------------------------------------------

std::string Text(std::string value) {
  if (value.rfind("(indirect", 0) == 0 || value.rfind("(alt", 0) == 0) value.erase(0, value.find("): ") + 3);
  value.erase(value.find_last_not_of(" \t\r\n") + 1);
  return value;
}

void Attribute(Entry* one, const std::string& name, const std::string& value) {
  if (name == "DW_AT_name") one->name = Text(value);
  if (name == "DW_AT_linkage_name") one->linkage = Text(value);
  if (name == "DW_AT_type") one->type = std::strtol(value.c_str() + (value[0] == '<'), nullptr, 16);
  if (name == "DW_AT_accessibility") one->access = std::strtol(value.c_str(), nullptr, 10);
  one->external |= name == "DW_AT_external";
  one->declaration |= name == "DW_AT_declaration";
  one->of_object |= name == "DW_AT_object_pointer";
  one->is_bits |= name == "DW_AT_bit_size";
  one->artificial |= name == "DW_AT_artificial";
}

void ReadEntries(std::istream& in) {
  std::vector<int> parents(256, -1);
  for (std::string line; std::getline(in, line);) {
    int depth = 0;
    long offset = 0;
    char word[100] = "";
    if (std::sscanf(line.c_str(), " <%d><%lx>: Abbrev Number: %*d (%99[A-Za-z_])", &depth, reinterpret_cast<unsigned long*>(&offset), word) == 3) {
      if (depth < 0 || depth > 254) continue;
      parents[static_cast<std::size_t>(depth)] = static_cast<int>(entries.size());
      by_offset[offset] = static_cast<int>(entries.size());
      Entry one;
      one.depth = depth;
      one.parent = depth > 0 ? parents[static_cast<std::size_t>(depth) - 1] : -1;
      one.tag = word + 7;  // behind DW_TAG_
      entries.push_back(one);
    } else if (!entries.empty() && std::sscanf(line.c_str(), " <%*x> %99[A-Za-z_0-9]", word) == 1) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) continue;
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      Attribute(&entries.back(), word, begin == std::string::npos ? "" : line.substr(begin));
    }
  }
}

bool IsClass(const Entry& one) { return one.tag == "structure_type" || one.tag == "class_type"; }

// As other code has to call it; empty where that cannot be.
std::string QualifiedName(int index) {
  std::string name;
  for (int i = index; i >= 0 && entries[static_cast<std::size_t>(i)].depth > 0; i = entries[static_cast<std::size_t>(i)].parent) {
    const Entry& one = entries[static_cast<std::size_t>(i)];
    if (one.name.empty() || (!IsClass(one) && one.tag != "namespace")) return "";
    name = one.name + (name.empty() ? "" : "::" + name);
  }
  return name;
}

const Entry* TypeOf(const Entry& one) {
  const Entry* at = &one;
  for (int hops = 0; hops < 50; ++hops) {
    const auto found = by_offset.find(at->type);
    if (at->type == 0 || found == by_offset.end()) return nullptr;
    at = &entries[static_cast<std::size_t>(found->second)];
    if (at->tag != "typedef" && at->tag != "const_type" && at->tag != "volatile_type") return at;
  }
  return nullptr;
}

// Classes ---------------------------------------------------------------------------------------------------------------

struct Class {
  std::string name;
  std::vector<std::string> parts;  // statements for each
  std::vector<std::string> types;
  bool whole = true, is_virtual = false, has_pointers = false, is_ended_there = false;
};

void AddMember(const Entry& member, bool is_struct, Class* to) {
  const Entry* type = TypeOf(member);
  const bool is_public = member.access == 0 ? is_struct : member.access == 1;
  if (member.name.rfind("_vptr", 0) == 0) {
    to->is_virtual = true;
    to->whole = false;
  } else if (member.external || member.declaration) {
    return;  // static
  } else if (member.is_bits || member.name.empty() || type == nullptr || type->tag == "reference_type" || type->tag == "union_type") {
    to->whole = false;
  } else if (type->tag == "pointer_type" && !is_public) {
    to->has_pointers = true;
    to->parts.push_back("visit.Pointer(object." + member.name + ");");
  } else {
    to->parts.push_back("visit(object." + member.name + ");");
    to->types.push_back("decltype(" + to->name + "::" + member.name + ")");
  }
}

std::string LastWord(const std::string& name) {
  std::string word = name.substr(0, name.find('<'));
  const std::size_t at = word.rfind("::");
  return at == std::string::npos ? word : word.substr(at + 2);
}

// `ended`: whose destructors are asked for.
std::map<std::string, Class> ReadClasses(const std::set<std::string>& words, const std::set<std::string>& ended) {
  std::map<std::string, Class> classes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& one = entries[i];
    if (!IsClass(one) || one.declaration) continue;
    const std::string name = QualifiedName(static_cast<int>(i));
    if (name.empty() || name.rfind("std::", 0) == 0 || name.rfind("__", 0) == 0 || name.find("(") != std::string::npos || words.count(LastWord(name)) == 0) continue;
    Class to;
    to.name = "::" + name;
    to.is_ended_there = ended.count(name) > 0;
    for (std::size_t j = i + 1; j < entries.size() && entries[j].depth > one.depth; ++j) {
      if (entries[j].depth != one.depth + 1) continue;
      if (entries[j].tag == "member") AddMember(entries[j], one.tag == "structure_type", &to);
      if (entries[j].tag != "inheritance") continue;
      const auto found = by_offset.find(entries[j].type);
      const std::string base = found == by_offset.end() ? "" : QualifiedName(found->second);
      if (base.empty()) to.whole = false;
      if (base.empty() || base.rfind("std::", 0) == 0) continue;
      to.parts.push_back("visit(static_cast<std::conditional_t<std::is_const_v<O>, const ::" + base + ", ::" + base + ">&>(object));");
      to.types.push_back("::" + base);
    }
    classes.emplace(name, to);
  }
  return classes;
}

void WriteClasses(const std::map<std::string, Class>& classes) {
  std::ofstream out("classes.inc");
  out << "namespace tally_split {\n";
  for (const auto& [name, one] : classes) {
    out << "template <>\nstruct Members<" << one.name << "> {\n  static constexpr bool known = " << (one.whole || one.is_virtual ? "true" : "false")
        << ", pointers = " << (one.has_pointers ? "true" : "false") << ", whole = " << (one.whole ? "!std::is_polymorphic_v<" + one.name + "> && !std::is_base_of_v<std::exception, " + one.name + ">" : "false") << ";\n"
        << "  template <int D>\n  static consteval bool Crosses();\n"
        << "  template <class O, class V>\n  static void Each(O& object, V& visit) {\n    (void)object, (void)visit;\n";
    for (const std::string& part : one.parts) out << "    " << part << "\n";
    out << "  }\n};\n";
  }
  for (const auto& [name, one] : classes) {
    out << "template <int D>\nconsteval bool Members<" << one.name << ">::Crosses() {\n  return " << (one.has_pointers || one.is_ended_there ? "D < kAlone" : "true");
    for (const std::string& type : one.types) out << " && tally_split::Crosses<" << type << ", D>()";
    out << ";\n}\n";
  }
  out << "using IncludedClasses = Types<";
  bool first = true;
  for (const auto& [name, one] : classes) {
    out << (first ? "" : ", ") << one.name;
    first = false;
  }
  out << ">;\ninline void PutException(Out& out) { PutAsOneOf(out, StandardExceptions(), IncludedClasses()); }\n"
      << "[[noreturn]] inline void Throw(In& in) { ThrowFrom<IncludedClasses>(in); }\n}\n";
}

// Functions -------------------------------------------------------------------------------------------------------------

void Replace(std::string* text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) text->replace(at, from.size(), to);
}

std::string Demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string demangled = status == 0 && text != nullptr ? text : name;
  std::free(text);
  Replace(&demangled, "[abi:cxx11]", "");
  return demangled;
}

// For who reads it.
std::string Pretty(std::string text) {
  Replace(&text, "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  Replace(&text, "std::basic_string_view<char, std::char_traits<char> >", "std::string_view");
  Replace(&text, "\"", "'");
  Replace(&text, "\\", "/");
  return text;
}

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '<' || c == '(' || c == '[';
    depth -= c == '>' || c == ')' || c == ']';
    if (c == ',' && depth == 0) {
      parts.push_back(part);
      part.clear();
    } else if (c != ' ' || !part.empty()) {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

struct Called {
  std::string scope, name, qualifiers;
  std::vector<std::string> parameters;
};

// Where the name begins that stands behind its last "::".
std::size_t NameBegin(const std::string& qualified) {
  for (std::size_t at = qualified.find("operator"); at != std::string::npos; at = qualified.find("operator", at + 1)) {
    const bool begins = at == 0 || qualified[at - 1] == ':';
    const char next = at + 8 < qualified.size() ? qualified[at + 8] : ' ';
    if (begins && std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_') return at;
  }
  int depth = 0;
  for (std::size_t i = qualified.size(); i-- > 1;) {
    depth += qualified[i] == '>';
    depth -= qualified[i] == '<';
    if (depth == 0 && qualified[i] == ':' && qualified[i - 1] == ':') return i + 1;
  }
  return 0;
}

Called Parsed(const std::string& demangled) {
  Called called;
  const std::size_t end = demangled.rfind(')');
  std::size_t begin = end;
  for (int depth = 0; begin != std::string::npos; --begin) {
    depth += demangled[begin] == ')';
    depth -= demangled[begin] == '(';
    if (depth == 0 || begin == 0) break;
  }
  std::string qualified = demangled.substr(0, begin);
  called.parameters = SplitAtCommas(demangled.substr(begin + 1, end - begin - 1));
  called.qualifiers = demangled.substr(end + 1);
  const std::size_t name = NameBegin(qualified);
  called.name = qualified.substr(name);
  called.scope = name >= 2 ? qualified.substr(0, name - 2) : "";
  return called;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += ", " + part;
  return text;
}

struct Signature {
  std::string before, result;  // before: at the top of a file
  std::vector<std::string> parameters;
};

Signature SignatureOf(const Called& called, const std::string& text, const std::string& n, const std::map<std::string, Class>& classes, bool is_static) {
  std::vector<std::string> values;
  for (const std::string& parameter : called.parameters) values.push_back("std::declval<" + parameter + ">()");
  const std::string arguments = values.empty() ? "" : Joined(values).substr(2);
  Signature signature;
  signature.parameters = called.parameters;
  if (classes.count(called.scope) == 0 || is_static) {
    if (called.name.find(' ') != std::string::npos && called.name.rfind("operator", 0) != 0) Refuse(text + " cannot be called: it is a template");
    if (called.name.rfind("operator", 0) == 0 && classes.count(called.scope) == 0) {
      // Perhaps it is there as a class' friend alone, and its namespace does not have its name.
      const std::string alias = "tally_result_" + n;
      signature.before = (called.scope.empty() ? "" : "namespace " + called.scope + " {\n") + "using " + alias + " = decltype(" + called.name + "(" + arguments + "));\n" +
                         (called.scope.empty() ? "" : "}\n");
      signature.result = (called.scope.empty() ? "" : "::" + called.scope) + "::" + alias;
      return signature;
    }
    signature.result = "decltype(" + (called.scope.empty() ? "" : "::" + called.scope) + "::" + called.name + "(" + arguments + "))";
    return signature;
  }
  const std::string object = "::" + called.scope, simple = LastWord(called.scope);
  if (called.name == simple || called.name == "~" + simple) {
    signature.result = "void";
    signature.parameters.insert(signature.parameters.begin(), (called.name == simple ? "New<" : "Old<") + object + ">");
  } else {
    const std::string self = object + (called.qualifiers.find("const") != std::string::npos ? " const" : "") + (called.qualifiers.find("&&") != std::string::npos ? "&&" : "&");
    signature.result = "decltype(std::declval<" + self + ">()." + called.name + "(" + arguments + "))";
    signature.parameters.insert(signature.parameters.begin(), self);
  }
  return signature;
}

void WriteFunction(std::ostream& out, std::ostream& uses, int number, const std::string& name, const std::map<std::string, Class>& classes, bool is_static) {
  const std::string demangled = Demangled(name), text = Pretty(demangled), n = std::to_string(number);
  const std::string line = "#line 1 \"asked: " + text + "\"\n";
  out << line;
  if (demangled.find('(') == std::string::npos) {
    out << "using F" << n << " = OfType<decltype(::" << demangled << ")>::type;\n"
        << "static_assert(F" << n << "::Crosses(), \"with params.split " << text << " cannot be called: what it takes or returns cannot go between two processes\");\n";
  } else {
    const Signature signature = SignatureOf(Parsed(demangled), text, n, classes, is_static);
    for (std::ostream* to : {&out, &uses}) {
      if (!signature.before.empty()) *to << "}\n" << signature.before << "namespace tally_split {\n" << line;
    }
    for (const std::string& parameter : signature.parameters) {
      std::string type = Pretty(parameter);
      if (type.rfind("New<", 0) == 0 || type.rfind("Old<", 0) == 0) type = type.substr(6, type.size() - 7);
      if (type.rfind("::", 0) == 0) type.erase(0, 2);
      out << "static_assert(Param<" << parameter << ">::Crosses(), \"with params.split " << text << " cannot be called: " << type << " cannot go between two processes\");\n";
    }
    out << "static_assert(Result<" << signature.result << ">::Crosses(), \"with params.split " << text << " cannot be called: what it returns cannot go between two processes\");\n";
    uses << "constexpr bool use" << n << " = Used<" << signature.result << Joined(signature.parameters) << ">();\n";
    out << "using F" << n << " = Function<" << signature.result << Joined(signature.parameters) << ">;\n";
  }
  out << "TALLY_FUNCTION(" << n << ", \"" << name << "\")\n";
}

std::set<std::string> WordsOf(int count, char** files) {
  std::set<std::string> words;
  for (int i = 0; i < count; ++i) {
    std::ifstream in(files[i]);
    std::string word;
    for (char c = 0; in.get(c);) {
      const bool in_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      if (in_word) word += c;
      if (in_word || word.empty()) continue;
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  ReadEntries(std::cin);
  std::set<std::string> statics;
  for (const Entry& one : entries) {
    if (one.tag == "subprogram" && !one.of_object && one.parent >= 0 && IsClass(entries[static_cast<std::size_t>(one.parent)])) statics.insert(one.linkage);
  }
  std::vector<std::string> names;
  std::set<std::string> ended;
  std::ifstream in(argv[1]);
  for (std::string name; std::getline(in, name);) {
    names.push_back(name);
    const std::string demangled = Demangled(name);
    const std::size_t destructor = demangled.rfind("::~");
    if (destructor != std::string::npos) ended.insert(demangled.substr(0, destructor));
  }
  const std::map<std::string, Class> classes = ReadClasses(WordsOf(argc - 2, argv + 2), ended);
  WriteClasses(classes);
  std::ofstream out("functions.inc"), uses("uses.inc");
  int count = 0;
  out << "namespace tally_split {\n";
  uses << "namespace tally_split {\ntemplate <class>\nstruct New;\ntemplate <class>\nstruct Old;\ntemplate <class... T>\nconstexpr bool Used() {\n"
       << "  return ([] { if constexpr (requires { sizeof(std::remove_cvref_t<T>); }) return true; return false; }() && ...);\n}\n";
  for (const std::string& name : names) WriteFunction(out, uses, count++, name, classes, statics.count(name) > 0);
  out << "#line 1 \"functions.inc\"\n}\n#define TALLY_COUNT " << count << "\n#define TALLY_EACH(F)";
  for (int i = 0; i < count; ++i) out << " F(" << i << ")";
  out << "\n";
  uses << "}\n";
  return 0;
}
