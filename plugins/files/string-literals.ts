/** String literals of code, of which pages show some. */
import type { Unit } from './in-form.ts'

/** The last words of names whose values are texts for people. */
const shown: ReadonlySet<string> = new Set(
  (
    'title subtitle heading subheading headline label tagline description text caption summary excerpt intro ' +
    'message copyright question answer quote slogan cta'
  ).split(' '),
)

/** What has a name that people read. */
const named: ReadonlySet<string> = new Set(
  'site product service project organisation organization company brand'.split(' '),
)

/** Whether a property or variable with this name is a text for people: `label`, `SITE_TITLE`, `productName`. */
export function namesText(name: string): boolean {
  const words = name.split(/[-_]|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase())
  const [before = '', last = ''] = words.slice(-2)
  return shown.has(words.at(-1) ?? '') || (last === 'name' && named.has(before))
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
  '\r\n': '',
}

/** What is between the quotes of a literal, character by character. */
export const stringUnits = (raw: string): readonly Unit[] =>
  (raw.match(/\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r\n|[^])|[^]/gu) ?? []).map((each) => ({
    raw: each,
    value: each.startsWith('\\') ? unescaped(each.slice(1)) : each,
  }))

function unescaped(escape: string): string {
  const code = escape.length > 1 ? /^[ux]\{?([\da-fA-F]+)/.exec(escape)?.[1] : undefined
  return code === undefined ? (escapes[escape] ?? escape) : String.fromCodePoint(Number.parseInt(code, 16))
}

/** Writes a text between quotes. */
export function spelledString(text: string, quote: string): string {
  const written = text.replaceAll(/\\|\$(?=\{)/g, (mark) =>
    mark === '$' && quote !== '`' ? mark : `\\${mark}`,
  )
  const quoted = written.replaceAll(quote, `\\${quote}`)
  return quote === '`' ? quoted : quoted.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`)
}
