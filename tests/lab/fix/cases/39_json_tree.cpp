#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Value {
  double num = 0;
  std::string str;
  std::vector<std::shared_ptr<Value>> arr;
  std::map<std::string, std::shared_ptr<Value>> obj;
};
using Ptr = std::shared_ptr<Value>;

struct Parser {
  const std::string& s;
  size_t p = 0;
  Ptr value() {
    auto v = std::make_shared<Value>();
    char c = s[p];
    if (c == '{') {
      ++p;
      while (s[p] != '}') {
        auto k = text();
        ++p;
        v->obj[k] = value();
        if (s[p] == ',') ++p;
      }
      ++p;
    } else if (c == '[') {
      ++p;
      while (s[p] != ']') {
        v->arr.push_back(value());
        if (s[p] == ',') ++p;
      }
      ++p;
    } else if (c == '"') v->str = text();
    else {
      while (isdigit((unsigned char)s[p])) v->num = v->num * 10 + (s[p++] - '0');
    }
    return v;
  }
  std::string text() {
    std::string r;
    ++p;
    while (s[p] != '"') r += s[p++];
    ++p;
    return r;
  }
};

double total(const Ptr& v) {
  double t = v->num;
  for (auto& a : v->arr) t += total(a);
  for (auto& o : v->obj) t += total(o.second);
  return t;
}

int main() {
  std::string doc = "[";
  for (int i = 0; i < 50000; ++i)
    doc += (i ? ",{\"id\":" : "{\"id\":") + std::to_string(i) + ",\"name\":\"n" + std::to_string(i % 97) +
           "\",\"tags\":[1,2,{\"k\":" + std::to_string(i % 13) + "}]}";
  doc += "]";
  Parser ps{doc};
  auto root = ps.value();
  std::cout << root->arr.size() << " " << total(root) << std::endl;
}
