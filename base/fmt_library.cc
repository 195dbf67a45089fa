// fmt's own code, compiled once for all of us.
//
// Debian ships the headers and a shared library, and our executables are static. With FMT_HEADER_ONLY each of our
// files would compile all of fmt: 4.6 s a file instead of 0.8 (GCC 12, -O2), half of what a build takes. So this is
// the file that fmt's authors compile into the library: its functions, which are in format-inl.h, and the templates
// that other files expect to find here (what format.h and core.h declare and do not define). fmt 9; with other
// versions, whose templates differ, cmake/tally_library.cmake goes back to FMT_HEADER_ONLY.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
template auto locale_ref::get<std::locale>() const -> std::locale;
template void buffer<char>::append<char>(const char*, const char*);
template void vformat_to<char>(buffer<char>&, basic_string_view<char>, basic_format_args<buffer_context<char>>,
                               locale_ref);
namespace dragonbox {
template auto to_decimal<float>(float) noexcept -> decimal_fp<float>;
template auto to_decimal<double>(double) noexcept -> decimal_fp<double>;
}  // namespace dragonbox

}  // namespace detail
FMT_END_NAMESPACE
