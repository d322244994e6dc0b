/** Icons that are drawn, because many systems show their emoji as a box. */
import { html, type Html } from '../../content/markup.ts'

/** Paths in a square of 24 by emoji, without variation selectors. */
const paths: Readonly<Record<string, string>> = {
  '⚡': 'M13 2 4 14h7l-1 8 9-12h-7z',
  '🤝': 'M8.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-3.5 2.8-6 6.5-6s6.5 2.5 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.200M18 14.5c2.5.8 4 2.8 4 5.5',
  '🌱': 'M12 21v-9M12 12c0-4-3-7-8-7 0 5 3 7 8 7zM12 14c0-3.5 2.5-6 8-6 0 4.5-3 6-8 6z',
  '🕑': 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l4-2',
  '💬': 'M4 5h16v11H10l-5 4v-4H4z',
  '♻': 'M20 11a8 8 0 0 0-14.5-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 4L20 15M20 20v-5h-5',
}

/** Returns the drawing of an emoji; `undefined` if there is none. */
export function drawing(emoji: string): Html | undefined {
  const path = paths[emoji.replaceAll('\uFE0F', '')]
  return path === undefined ? undefined : drawn(path)
}

export const cross = drawn('M6 6l12 12M18 6 6 18')

function drawn(path: string): Html {
  return html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`
}
