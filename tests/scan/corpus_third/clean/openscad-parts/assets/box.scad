// Box with lid
w = 60; d = 40; h = 25; // inner, mm
wall = 1.6; gap = 0.3;
$fn = 48;

module shell(x, y, z) {
  difference() {
    cube([x + 2*wall, y + 2*wall, z + wall]);
    translate([wall, wall, wall]) cube([x, y, z + 1]);
  }
}

shell(w, d, h);
translate([w + 15, 0, 0]) shell(w + 2*wall + gap, d + 2*wall + gap, 8);
