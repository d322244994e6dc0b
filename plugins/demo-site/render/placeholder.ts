/** The image shown if none is chosen yet, served as `/hero-generated.svg`. */
export const placeholderSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1536 1024"
  role="img" aria-label="Placeholder image">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#ccfbf1"/><stop offset="1" stop-color="#99d5e6"/></linearGradient>
<linearGradient id="near" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#0f766e"/><stop offset="1" stop-color="#134e4a"/></linearGradient>
</defs>
<rect width="1536" height="1024" fill="url(#sky)"/>
<circle cx="1130" cy="300" r="120" fill="#fef3c7"/>
<path d="M0 700 C260 520 420 560 640 660 S1120 520 1536 640 V1024 H0 Z" fill="#5eaaa8" opacity=".7"/>
<path d="M0 800 C300 660 520 760 800 790 S1260 690 1536 780 V1024 H0 Z" fill="#2b8a83" opacity=".85"/>
<path d="M0 900 C340 800 620 900 900 880 S1340 830 1536 890 V1024 H0 Z" fill="url(#near)"/>
</svg>
`
