#include "scanner.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

namespace clutch_test {
namespace {

using Tokens = std::span<const Token>;
using Typedefs = std::map<std::string, std::vector<Token>>;

struct ScalarType {
    std::string_view name;
    std::size_t size;
};
constexpr ScalarType scalars[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},   {"uint", 4},
                                  {"long", 8}, {"ulong", 8}, {"half", 2},  {"float", 4},  {"double", 8}};
constexpr std::string_view not_for_kernels[] = {"bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "event_t"};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

// The size of a scalar or vector type of OpenCL C, 0 for any other name.
std::size_t size_of_type(std::string_view type)
{
    for (const ScalarType& scalar : scalars) {
        if (type.substr(0, scalar.name.size()) != scalar.name) {
            continue;
        }
        const std::string_view width = type.substr(scalar.name.size());
        if (width.empty()) {
            return scalar.size;
        }
        for (const auto& [digits, elements] :
             {std::pair<std::string_view, std::size_t>{"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}, {"16", 16}}) {
            if (width == digits) {
                return scalar.size * elements;
            }
        }
    }
    return 0;
}

bool is_image(std::string_view type)
{
    return type.substr(0, 5) == "image" && type.size() > 2 && type.substr(type.size() - 2) == "_t";
}

// The place behind the bracket that closes the one at `at`.
std::size_t past_bracket(Tokens tokens, std::size_t at)
{
    int depth = 0;
    for (; at < tokens.size(); ++at) {
        const std::string& text = tokens[at].text;
        if (is_one_of(text, {"(", "[", "{"})) {
            ++depth;
        } else if (is_one_of(text, {")", "]", "}"}) && --depth == 0) {
            return at + 1;
        }
    }
    return tokens.size();
}

std::string log_line(int line, const std::string& message)
{
    return "program.cl:" + std::to_string(line) + ": error: " + message + "\n";
}

// "unsigned int" and the like in OpenCL's one-word spelling.
std::string spelled(const std::vector<std::string>& words)
{
    std::vector<std::string> rest;
    bool is_unsigned = false, is_signed = false;
    for (const std::string& word : words) {
        is_unsigned = is_unsigned || word == "unsigned";
        is_signed = is_signed || word == "signed";
        if (word != "unsigned" && word != "signed") {
            rest.push_back(word);
        }
    }
    if (is_unsigned || is_signed || rest.size() > 1) {
        std::erase_if(rest, [&](const std::string& word) { return word == "int" && rest.size() > 1; });
        if (rest.empty()) {
            rest.emplace_back("int");
        }
    }
    std::string text = is_unsigned ? "u" : "";
    for (const std::string& word : rest) {
        text += (text.empty() || text == "u" ? "" : " ") + word;
    }
    return text;
}

class Scanner {
public:
    Scanner(Tokens tokens, bool doubles) : tokens_(tokens), doubles_(doubles) {}

    Scanned scan()
    {
        check_words();
        for (std::size_t i = 0; i < tokens_.size() && result_.error.empty();) {
            const std::string& text = tokens_[i].text;
            if (text == "typedef") {
                i = read_typedef(i);
            } else if (text == "kernel" || text == "__kernel") {
                i = read_kernel(i + 1);
            } else if (text == "{") {
                const std::size_t end = past_bracket(tokens_, i);
                if (tokens_[end - 1].text != "}") {
                    result_.error = log_line(tokens_.back().line, "expected '}'");
                }
                i = end;
            } else {
                ++i;
            }
        }
        if (!result_.error.empty()) {
            result_.kernels.clear();
        }
        return std::move(result_);
    }

private:
    void check_words()
    {
        for (const Token& token : tokens_) {
            const bool is_double =
                token.kind == Token::word && token.text.substr(0, 6) == "double" && size_of_type(token.text) != 0;
            if (is_double && !doubles_) {
                result_.error = log_line(token.line, "use of type 'double' requires cl_khr_fp64 support");
                return;
            }
        }
    }

    std::size_t read_typedef(std::size_t at)
    {
        std::vector<Token> words;
        std::size_t i = at + 1;
        for (; i < tokens_.size() && tokens_[i].text != ";"; ++i) {
            if (tokens_[i].text == "{") {
                i = past_bracket(tokens_, i) - 1;
                words.push_back({Token::mark, "{}", tokens_[i].line});
            } else {
                words.push_back(tokens_[i]);
            }
        }
        if (words.size() >= 2 && words.back().kind == Token::word) {
            const std::string name = words.back().text;
            words.pop_back();
            typedefs_[name] = words;
        }
        return i;
    }

    std::size_t read_kernel(std::size_t at)
    {
        KernelText kernel;
        // Up to the name: attributes and the return type.
        while (at < tokens_.size() && tokens_[at].text != "(" && tokens_[at].text != "{") {
            if (is_one_of(tokens_[at].text, {"__attribute__", "__attribute"})) {
                const std::size_t end = past_bracket(tokens_, at + 1);
                read_attribute(tokens_.subspan(at, end - at), kernel);
                at = end;
            } else {
                kernel.name = tokens_[at++].text;
            }
        }
        if (at >= tokens_.size() || tokens_[at].text != "(") {
            result_.error = log_line(tokens_.empty() ? 1 : tokens_.back().line, "expected a kernel function");
            return tokens_.size();
        }
        const std::size_t end = past_bracket(tokens_, at);
        read_parameters(tokens_.subspan(at + 1, end - at - 2), kernel);
        at = end;
        while (at < tokens_.size() && is_one_of(tokens_[at].text, {"__attribute__", "__attribute"})) {
            const std::size_t past = past_bracket(tokens_, at + 1);
            read_attribute(tokens_.subspan(at, past - at), kernel);
            at = past;
        }
        const bool defined = at < tokens_.size() && tokens_[at].text == "{";
        if (defined && std::any_of(result_.kernels.begin(), result_.kernels.end(),
                                   [&](const auto& other) { return other->name == kernel.name; })) {
            result_.error = log_line(tokens_[at].line, "redefinition of '" + kernel.name + "'");
        }
        if (defined && result_.error.empty()) {
            result_.kernels.push_back(std::make_shared<const KernelText>(std::move(kernel)));
        }
        return at;
    }

    static void read_attribute(Tokens tokens, KernelText& kernel)
    {
        // __attribute__((name(values))): what is between the two pairs of parentheses
        if (tokens.size() < 6) {
            return;
        }
        const Tokens inner = tokens.subspan(3, tokens.size() - 5);
        for (const Token& token : inner) {
            kernel.attributes += token.text;
        }
        if (inner.size() >= 8 && is_one_of(inner[0].text, {"reqd_work_group_size", "__reqd_work_group_size__"})) {
            for (std::size_t i = 0; i < 3; ++i) {
                kernel.required[i] = std::strtoul(inner[2 + 2 * i].text.c_str(), nullptr, 0);
            }
        }
    }

    void read_parameters(Tokens tokens, KernelText& kernel)
    {
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= tokens.size() && result_.error.empty(); ++i) {
            if (i < tokens.size() && tokens[i].text == "(") {
                i = past_bracket(tokens, i) - 1;
            } else if (i == tokens.size() || tokens[i].text == ",") {
                const Tokens one = tokens.subspan(begin, i - begin);
                if (!one.empty() && !(one.size() == 1 && one[0].text == "void")) {
                    kernel.parameters.push_back(read_parameter(one));
                }
                begin = i + 1;
            }
        }
    }

    Parameter read_parameter(Tokens tokens)
    {
        Parameter parameter;
        std::vector<std::string> words;
        int pointers = 0;
        bool local = false, global = false;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string& text = tokens[i].text;
            if (is_one_of(text, {"__attribute__", "__attribute"})) {
                i = past_bracket(tokens, i + 1) - 1;
            } else if (text == "*") {
                ++pointers;
            } else if (text == "[") {
                ++pointers;
                i = past_bracket(tokens, i) - 1;
            } else if (is_one_of(text, {"local", "__local"})) {
                local = true;
            } else if (is_one_of(text, {"global", "__global"})) {
                global = true;
            } else if (is_one_of(text, {"constant", "__constant"})) {
                parameter.constant = true;
            } else if (is_one_of(text, {"read_only", "__read_only"})) {
                parameter.read_only = true;
            } else if (is_one_of(text, {"write_only", "__write_only"})) {
                parameter.write_only = true;
            } else if (is_one_of(text, {"read_write", "__read_write"})) {
                parameter.read_write = true;
            } else if (text == "const") {
                parameter.is_const = parameter.is_const || pointers == 0;
            } else if (text == "volatile") {
                parameter.is_volatile = true;
            } else if (is_one_of(text, {"restrict", "__restrict"})) {
                parameter.is_restrict = true;
            } else if (text == "pipe") {
                parameter.is_pipe = true;
            } else if (!is_one_of(text, {"private", "__private"}) && tokens[i].kind == Token::word) {
                words.push_back(text);
            }
        }
        if (words.size() > 1) { // the last is the name, unless the declaration has none
            parameter.name = words.back();
            words.pop_back();
        }
        parameter.type = spelled(words);
        const std::string& type = parameter.type;
        const std::string resolved = resolve(type);
        const bool is_value = pointers == 0;
        if (is_value &&
            std::find(std::begin(not_for_kernels), std::end(not_for_kernels), resolved) != std::end(not_for_kernels)) {
            result_.error = log_line(tokens[0].line, "'" + type + "' cannot be used as the type of a kernel parameter");
        }
        if (!is_value && !local && !global && !parameter.constant) {
            result_.error = log_line(tokens[0].line, "a kernel parameter cannot point to private memory");
        }
        if (parameter.is_pipe) {
            parameter.takes = Takes::memory;
        } else if (!is_value) {
            parameter.takes = local ? Takes::local : Takes::memory;
            parameter.type += std::string(static_cast<std::size_t>(pointers), '*');
        } else if (is_image(resolved)) {
            parameter.takes = Takes::image;
            parameter.read_only = !parameter.write_only && !parameter.read_write;
        } else if (resolved == "sampler_t") {
            parameter.takes = Takes::sampler;
        } else {
            parameter.size = size_of_type(resolved);
            parameter.is_const = false; // of the value itself: OpenCL does not tell
        }
        parameter.is_const = parameter.is_const || parameter.constant;
        return parameter;
    }

    // The type behind typedefs of plain types; anything more involved stays as it is.
    std::string resolve(std::string type) const
    {
        for (int depth = 0; depth < 16; ++depth) {
            const auto found = typedefs_.find(type);
            if (found == typedefs_.end()) {
                break;
            }
            std::vector<std::string> words;
            for (const Token& token : found->second) {
                words.push_back(token.text);
            }
            type = spelled(words);
        }
        return type;
    }

    Tokens tokens_;
    bool doubles_;
    Typedefs typedefs_;
    Scanned result_;
};

} // namespace

Scanned scan(const std::vector<Token>& tokens, bool doubles)
{
    return Scanner{tokens, doubles}.scan();
}

} // namespace clutch_test
