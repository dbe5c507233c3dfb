#include "preprocessor.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace clutch_test {
namespace {

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_space(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// The text with each comment turned into a space; line breaks stay, so that line numbers do.
std::string without_comments(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (c == '"' || c == '\'') {
            const std::size_t begin = i;
            for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i) {
                i += text[i] == '\\' ? 1 : 0;
            }
            result += text.substr(begin, i + 1 - begin);
        } else if (c == '/' && next == '/') {
            for (; i < text.size() && text[i] != '\n'; ++i) {
                if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
                    result += '\n';
                    ++i;
                }
            }
            result += i < text.size() ? "\n" : "";
        } else if (c == '/' && next == '*') {
            const std::size_t end = std::min(text.find("*/", i + 2), text.size());
            result += ' ';
            result.append(static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                              text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                          '\n');
            i = end + 1;
        } else {
            result += c;
        }
    }
    return result;
}

std::vector<Token> tokens_of(std::string_view text, int line)
{
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        const char c = text[i];
        if (is_space(c)) {
            line += c == '\n' ? 1 : 0;
            ++i;
            continue;
        }
        Token::Kind kind = Token::mark;
        if (is_digit(c) || (c == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
            kind = Token::number;
            while (i < text.size() && (is_word(text[i]) || text[i] == '.')) {
                ++i;
            }
        } else if (is_word(c)) {
            kind = Token::word;
            while (i < text.size() && is_word(text[i])) {
                ++i;
            }
        } else if (c == '"' || c == '\'') {
            kind = Token::string;
            for (++i; i < text.size() && text[i] != c; ++i) {
                i += text[i] == '\\' ? 1 : 0;
            }
            i = std::min(i + 1, text.size());
        } else {
            constexpr std::string_view pairs[] = {"&&", "||", "==", "!=", "<=", ">=", "##"};
            const std::string_view rest = text.substr(i, 2);
            i += std::find(std::begin(pairs), std::end(pairs), rest) != std::end(pairs) ? 2 : 1;
        }
        tokens.push_back({kind, std::string(text.substr(begin, i - begin)), line});
    }
    return tokens;
}

struct Macro {
    bool function_like = false;
    std::vector<Token> body;
};
using Macros = std::map<std::string, Macro>;

void expand(const Token& token, const Macros& macros, std::set<std::string>& open, std::vector<Token>& into)
{
    const auto found = token.kind == Token::word ? macros.find(token.text) : macros.end();
    if (found == macros.end() || found->second.function_like || !open.insert(token.text).second) {
        into.push_back(token);
        return;
    }
    for (Token inner : found->second.body) {
        inner.line = token.line;
        expand(inner, macros, open, into);
    }
    open.erase(token.text);
}

std::vector<Token> expanded(const std::vector<Token>& tokens, const Macros& macros)
{
    std::vector<Token> result;
    std::set<std::string> open;
    for (const Token& token : tokens) {
        expand(token, macros, open, result);
    }
    return result;
}

// The condition of an #if. What it cannot read counts as 0.
class Condition {
public:
    Condition(std::vector<Token> tokens, const Macros& macros) : tokens_(resolved(tokens, macros)) {}
    bool holds() { return alternatives() != 0; }

private:
    static std::vector<Token> resolved(const std::vector<Token>& tokens, const Macros& macros)
    {
        // `defined` looks at the name before macros are expanded.
        std::vector<Token> plain;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].text != "defined" || i + 1 >= tokens.size()) {
                plain.push_back(tokens[i]);
                continue;
            }
            const bool parenthesised = tokens[i + 1].text == "(";
            const std::size_t at = i + (parenthesised ? 2 : 1);
            const bool known = at < tokens.size() && macros.count(tokens[at].text) != 0;
            plain.push_back({Token::number, known ? "1" : "0", tokens[i].line});
            i = at + (parenthesised ? 1 : 0);
        }
        return expanded(plain, macros);
    }

    bool take(std::string_view mark)
    {
        if (at_ < tokens_.size() && tokens_[at_].text == mark) {
            ++at_;
            return true;
        }
        return false;
    }

    long alternatives()
    {
        long value = conjunction();
        while (take("||")) {
            const long right = conjunction();
            value = value != 0 || right != 0;
        }
        return value;
    }
    long conjunction()
    {
        long value = comparison();
        while (take("&&")) {
            const long right = comparison();
            value = value != 0 && right != 0;
        }
        return value;
    }
    long comparison()
    {
        const long left = sum();
        if (take("==")) {
            return left == sum();
        }
        if (take("!=")) {
            return left != sum();
        }
        if (take("<=")) {
            return left <= sum();
        }
        if (take(">=")) {
            return left >= sum();
        }
        if (take("<")) {
            return left < sum();
        }
        if (take(">")) {
            return left > sum();
        }
        return left;
    }
    long sum()
    {
        long value = primary();
        for (;;) {
            if (take("+")) {
                value += primary();
            } else if (take("-")) {
                value -= primary();
            } else {
                return value;
            }
        }
    }
    long primary()
    {
        if (take("!")) {
            return primary() == 0;
        }
        if (take("-")) {
            return -primary();
        }
        if (take("(")) {
            const long value = alternatives();
            take(")");
            return value;
        }
        if (at_ >= tokens_.size()) {
            return 0;
        }
        const Token& token = tokens_[at_++];
        return token.kind == Token::number ? std::strtol(token.text.c_str(), nullptr, 0) : 0;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

class Preprocessor {
public:
    explicit Preprocessor(const BuildOptions& options) : options_(options)
    {
        for (const auto& [macro, body] : options.macros) {
            macros_[macro] = {false, tokens_of(body, 0)};
        }
    }

    void read(std::string_view text, const std::string& file, int depth)
    {
        const std::string plain = without_comments(text);
        const std::size_t outer = branches_.size();
        int number = 1;
        for (std::size_t begin = 0; begin < plain.size() && error.empty();) {
            // One logical line: splices are taken out, and counted.
            std::string line;
            const int first = number;
            for (;;) {
                const std::size_t end = std::min(plain.find('\n', begin), plain.size());
                std::string_view piece(plain.data() + begin, end - begin);
                begin = end + 1;
                ++number;
                if (!piece.empty() && piece.back() == '\r') {
                    piece.remove_suffix(1);
                }
                if (piece.empty() || piece.back() != '\\' || begin >= plain.size()) {
                    line += piece;
                    break;
                }
                piece.remove_suffix(1);
                line += piece;
            }
            const std::string_view content = trimmed(line);
            if (!content.empty() && content.front() == '#') {
                directive(trimmed(content.substr(1)), file, first, depth);
            } else if (active()) {
                const std::vector<Token> more = expanded(tokens_of(line, first), macros_);
                tokens.insert(tokens.end(), more.begin(), more.end());
            }
        }
        if (error.empty() && branches_.size() != outer) {
            fail(file, number, "unterminated conditional directive");
        }
    }

    std::vector<Token> tokens;
    std::string error;

private:
    struct Branch {
        bool outer;  // the surrounding text counts
        bool active; // this branch counts
        bool taken;  // a branch of this conditional has counted
    };

    bool active() const { return branches_.empty() || branches_.back().active; }

    void fail(const std::string& file, int line, std::string_view message)
    {
        error = file + ":" + std::to_string(line) + ": error: " + std::string(message) + "\n";
    }

    void directive(std::string_view text, const std::string& file, int line, int depth)
    {
        std::size_t length = 0;
        while (length < text.size() && is_word(text[length])) {
            ++length;
        }
        const std::string_view what = text.substr(0, length);
        const std::string_view rest = trimmed(text.substr(length));
        if (conditional(what, rest, file, line) || !active()) {
            return;
        }
        if (what == "define") {
            define(rest, line);
        } else if (what == "undef") {
            macros_.erase(std::string(rest));
        } else if (what == "error") {
            fail(file, line, rest);
        } else if (what == "include") {
            include(rest, file, line, depth);
        } else if (what != "pragma" && what != "line" && what != "warning" && !what.empty()) {
            fail(file, line, "invalid preprocessing directive");
        }
    }

    bool conditional(std::string_view what, std::string_view rest, const std::string& file, int line)
    {
        if (what == "if" || what == "ifdef" || what == "ifndef") {
            bool holds = false;
            if (active()) {
                holds = what == "if" ? Condition{tokens_of(rest, line), macros_}.holds()
                                     : (macros_.count(std::string(rest)) != 0) == (what == "ifdef");
            }
            branches_.push_back({active(), holds, holds});
            return true;
        }
        if (what != "elif" && what != "else" && what != "endif") {
            return false;
        }
        if (branches_.empty()) {
            fail(file, line, "#" + std::string(what) + " without #if");
        } else if (what == "endif") {
            branches_.pop_back();
        } else {
            Branch& branch = branches_.back();
            const bool may = branch.outer && !branch.taken;
            branch.active = may && (what == "else" || Condition{tokens_of(rest, line), macros_}.holds());
            branch.taken = branch.taken || branch.active;
        }
        return true;
    }

    void define(std::string_view rest, int line)
    {
        std::size_t length = 0;
        while (length < rest.size() && is_word(rest[length])) {
            ++length;
        }
        const bool function_like = length < rest.size() && rest[length] == '(';
        macros_[std::string(rest.substr(0, length))] = {function_like, tokens_of(rest.substr(length), line)};
    }

    void include(std::string_view rest, const std::string& file, int line, int depth)
    {
        const std::string wanted(rest.size() > 2 ? rest.substr(1, rest.size() - 2) : rest);
        if (depth > 32) {
            fail(file, line, "#include nested too deeply");
            return;
        }
        if (const auto header = options_.headers.find(wanted); header != options_.headers.end()) {
            read(header->second, wanted, depth + 1);
            return;
        }
        for (const std::string& directory : options_.include_directories) {
            std::ifstream stream(directory + "/" + wanted, std::ios::binary);
            if (stream) {
                std::ostringstream content;
                content << stream.rdbuf();
                read(content.str(), wanted, depth + 1);
                return;
            }
        }
        fail(file, line, "'" + wanted + "' file not found");
    }

    const BuildOptions& options_;
    Macros macros_;
    std::vector<Branch> branches_;
};

// Options separated by spaces; quotes and backslashes protect them.
std::vector<std::string> words_of(std::string_view options)
{
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = '\0';
    for (std::size_t i = 0; i < options.size(); ++i) {
        const char c = options[i];
        if (c == '\\' && i + 1 < options.size()) {
            word += options[++i];
            inside = true;
        } else if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
            word += quote == '\0' ? "" : std::string(1, c);
        } else if (c == '"' || c == '\'') {
            quote = c;
            inside = true;
        } else if (is_space(c)) {
            if (inside) {
                words.push_back(std::exchange(word, {}));
            }
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (inside) {
        words.push_back(word);
    }
    return words;
}

} // namespace

BuildOptions parse_options(std::string_view text)
{
    BuildOptions options;
    const std::vector<std::string> words = words_of(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto starts = [&](std::string_view with) { return word.compare(0, with.size(), with) == 0; };
        if (starts("-D") || starts("-I")) {
            std::string value = word.substr(2);
            if (value.empty()) {
                if (i + 1 == words.size()) {
                    options.valid = false;
                    break;
                }
                value = words[++i];
            }
            if (starts("-I")) {
                options.include_directories.push_back(value);
            } else {
                const std::size_t equals = value.find('=');
                options.macros[value.substr(0, equals)] = equals == std::string::npos ? "1" : value.substr(equals + 1);
            }
        } else if (word == "-cl-kernel-arg-info") {
            options.argument_info = true;
        } else if (!starts("-cl-") && word != "-w" && word != "-Werror" && word != "-g" && word != "-create-library" &&
                   word != "-enable-link-options") {
            options.valid = false;
        }
    }
    return options;
}

Preprocessed preprocess(std::string_view text, const BuildOptions& options)
{
    Preprocessor preprocessor{options};
    preprocessor.read(text, "program.cl", 0);
    return {std::move(preprocessor.tokens), std::move(preprocessor.error)};
}

} // namespace clutch_test
