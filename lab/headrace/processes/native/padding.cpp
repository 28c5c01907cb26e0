// padding: nothing but room. Linked in front of a program, it moves what follows it in a section by so many bytes, as
// other code in front would. `headrace run --layouts` links each program with several of these.
// UNLIKELY, STARTUP, HOT, TEXT, CONSTANTS, DATA and ZEROS are those bytes, by section.
#define AS_TEXT(bytes) #bytes
#define BYTES(bytes) AS_TEXT(bytes)

#if defined(__ELF__)
#define ROOM(section, flags, bytes) asm(".pushsection " section "," flags "\n.skip " BYTES(bytes) "\n.popsection\n")
// Linkers sort functions by these names: what is cold, what runs at the start (main), what is hot, all others.
ROOM(".text.unlikely", "\"ax\"", UNLIKELY);
ROOM(".text.startup", "\"ax\"", STARTUP);
ROOM(".text.hot", "\"ax\"", HOT);
ROOM(".text", "\"ax\"", TEXT);
ROOM(".rodata", "\"a\"", CONSTANTS);
ROOM(".data", "\"aw\"", DATA);
ROOM(".bss", "\"aw\",%nobits", ZEROS);
#else
asm(".text\n.skip " BYTES(TEXT) "\n.data\n.skip " BYTES(DATA) "\n.text\n");
#endif
