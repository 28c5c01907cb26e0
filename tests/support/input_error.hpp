// The input_error of an action that has to end with one.
#pragma once

#include <headrace/error.hpp>

#include <gtest/gtest.h>

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

}  // namespace test
