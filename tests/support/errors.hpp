// How an action ended that has to end with an error.
#pragma once

#include <headrace/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <string>
#include <system_error>

namespace test {

template <class Action>
headrace::input_error error_of(Action action) {
  try {
    action();
  } catch (const headrace::input_error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return headrace::input_error("", std::errc{}, {}, "");
}

// What the error says; another than an Error passes through.
template <class Error = std::exception, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The message is not looked at where it is "".
template <class Action>
void expect_output_error(Action action, std::errc code, std::uint64_t arrived, const std::string& message = "") {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const headrace::output_error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(error.arrived(), arrived);
    EXPECT_EQ(message.empty() ? message : error.what(), message);
  }
}

}  // namespace test
