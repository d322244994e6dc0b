/** Every colour of the pages, once for light screens and once for dark ones. */
export const colours = `
:root {
  color-scheme: light dark;
  --page: #fff; --surface: #f3f7f6; --text: #10201e; --muted: #4d5f5c; --line: #d9e3e1;
  --accent: #0f766e; --accent-hover: #0b5d56; --on-accent: #fff; --tint: #e3f4f1;
  --shade: 0 1px 2px #10201e14, 0 10px 28px -14px #10201e33;
  --info: #e3f0fb; --info-text: #123b5d;
  --success: #e2f5e6; --success-text: #14491f;
  --warning: #fdf0d2; --warning-text: #553a05;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c1312; --surface: #141e1c; --text: #e8f0ee; --muted: #a3b5b1; --line: #263533;
    --accent: #2dd4bf; --accent-hover: #5eead4; --on-accent: #04211d; --tint: #10302c;
    --shade: 0 1px 2px #0006, 0 12px 30px -14px #000a;
    --info: #12293d; --info-text: #cfe6fa;
    --success: #12301a; --success-text: #cdf2d6;
    --warning: #3a2a08; --warning-text: #fbe6b4;
  }
}
`
