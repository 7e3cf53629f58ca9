#pragma once

// Where component c of vector i lies, in elements, by the layout that is defined to be 1:
//
//   AOS12  structs of three elements                                     x y z x y z x y z …
//   AOS16  structs padded to four elements                               x y z . x y z . x …
//   SOA    three arrays, `plane` elements from one to the next           x x x … y y y … z z z …
#if AOS12
#define VEC3_PLACE(i, c, plane) (3 * (i) + (c))
#elif AOS16
#define VEC3_PLACE(i, c, plane) (4 * (i) + (c))
#elif SOA
#define VEC3_PLACE(i, c, plane) ((i) + uint(c) * (plane))
#endif
