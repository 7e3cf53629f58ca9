// What benchctl's own warnings would not let pass. They are nobody else's business.
namespace careless {

int shadowing(double value) {
  int unused = 3;
  int result = value;
  { int result = 4; }
  return result;
}

}  // namespace careless
