# ingot_embed(TARGET FILES...): embeds files, named by their path below the project, into TARGET.
# The bytes come in by the assembler's .incbin; the table is read through support/embedded.h.
function(ingot_embed target)
  set(asm ${CMAKE_CURRENT_BINARY_DIR}/embedded.S)
  set(cpp ${CMAKE_CURRENT_BINARY_DIR}/embedded_table.cpp)
  set(asm_text "    .section .rodata\n")
  set(declarations "")
  set(rows "")
  set(number 0)
  foreach(file IN LISTS ARGN)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    set(symbol ingot_embedded_${number})
    string(APPEND asm_text
           "    .balign 16\n    .global ${symbol}\n${symbol}:\n    .incbin \"${file}\"\n"
           "    .global ${symbol}_end\n${symbol}_end:\n    .byte 0\n")
    string(APPEND declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
    string(APPEND rows "    {\"${path}\", ${symbol}, ${symbol}_end},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  string(APPEND asm_text "    .section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${asm} CONTENT "${asm_text}" @ONLY)
  file(CONFIGURE OUTPUT ${cpp} CONTENT
"// Made by cmake/Embed.cmake.
#include \"support/embedded_table.h\"

extern \"C\" {
${declarations}}

namespace ingot::support {
const EmbeddedEntry kEmbeddedEntries[] = {
${rows}};
const std::size_t kEmbeddedCount = ${number};
}  // namespace ingot::support
" @ONLY)
  set_source_files_properties(${asm} PROPERTIES OBJECT_DEPENDS "${ARGN}")
  target_sources(${target} PRIVATE ${asm} ${cpp})
endfunction()
