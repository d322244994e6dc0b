/**
 * Texts as pages render them, which differ from their sources in white space, quotes, dashes, ellipses, and
 * characters without width.
 */

const same: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'“”„‟″'].map((quote) => [quote, '"'])),
  ...Object.fromEntries([...'‘’‚‛′'].map((quote) => [quote, "'"])),
  ...Object.fromEntries([...'‐‑‒–—―−'].map((dash) => [dash, '-'])),
  '…': '...',
}
const hidden = /[\p{Cf}\p{Variation_Selector}]/u

interface RenderedText {
  /** Equal for a source and the page that shows it. */
  readonly text: string
  /** For each of its characters, where the character is that it stands for. */
  readonly at: readonly number[]
}

/** Normalises a text, and says where each character comes from. */
export function renderedText(source: string): RenderedText {
  let text = ''
  const at: number[] = []
  for (let n = 0; n < source.length; n += 1) {
    const character = source.charAt(n)
    if (hidden.test(character)) continue
    const shown = /\s/.test(character) ? ' ' : (same[character] ?? character)
    // Runs of dashes are one dash, and runs of white space one blank.
    const isRun = (shown === ' ' || shown === '-') && (text.endsWith(shown) || (shown === ' ' && text === ''))
    if (isRun) continue
    text += shown
    for (let k = 0; k < shown.length; k += 1) at.push(n)
  }
  return text.endsWith(' ') ? { text: text.slice(0, -1), at: at.slice(0, -1) } : { text, at }
}
