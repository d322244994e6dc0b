/** What a text makes machines do. An edit of content brings none of it that was not there. */
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { htmlTokens } from './html-tokens.ts'
import { endOfLine, sliceOf, type Span } from './ranges.ts'

/** What most template languages begin an expression with. `{#` also begins the id of a heading. */
export const usualDelimiters: readonly string[] = ['{{', '{%']

/** By their first characters, also of `{{<`. */
const closings: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}', '<%': '%>' }

/**
 * Returns the expressions of a template language, each with its marks; one that does not end ends its line.
 */
export function expressionsIn(text: string, open: string): readonly Span[] {
  const close = closings[open.slice(0, 2)] ?? '\n'
  const found: Span[] = []
  let isOpen = false
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, found.at(-1)?.to ?? 0)) {
    // Once one does not end, none behind it does.
    const end: number = isOpen ? -1 : text.indexOf(close, from + open.length)
    isOpen = end === -1
    found.push({ from, to: isOpen ? Math.max(endOfLine(text, from), from + 1) : end + close.length })
  }
  return found
}

/** What renderers of Markdown read as attributes of the element in front of it. */
const attributeList = /\{[^{}\r\n]{1,200}\}/g
const eventAttribute = /\bon[a-z]+ ?=/i

/** Returns the expressions of template languages, and lists of attributes with one that runs code. */
export const templateCode = (text: string, delimiters: readonly string[]): ReadonlySet<string> =>
  new Set([
    ...delimiters.flatMap((open) => expressionsIn(text, open).map((span) => sliceOf(text, span))),
    ...(text.match(attributeList) ?? []).filter((list) => eventAttribute.test(list)),
  ])

const addressed = new Set(['href', 'src', 'poster', 'cite', 'action', 'formaction', 'xlink:href', 'data'])

/** Returns the tags of markup and the names of their attributes, and what is in scripts and styles. */
export function htmlCode(markup: string): ReadonlySet<string> {
  const found = new Set<string>()
  if (!markup.includes('<')) return found
  for (const token of htmlTokens(markup)) {
    if (token.kind === 'other') found.add(token.name)
    if (token.kind === 'end') found.add(`<${token.name}>`)
    if (token.kind !== 'tag') continue
    found.add(`<${token.name}>`)
    for (const { name, value } of token.attributes) {
      const isFree = /^(?:title|alt|lang|dir|aria-[\w-]+)$/.test(name) || addressed.has(name)
      found.add(isFree ? `<${token.name} ${name}>` : `<${token.name} ${name}="${value}">`)
      if (addressed.has(name) && isUnsafeAddress(value)) found.add(value)
    }
  }
  return found
}

/** Browsers remove control characters and blanks from an address before they parse its scheme. */
export function isUnsafeAddress(address: string): boolean {
  const plain = address.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '').toLowerCase()
  return /^(?:javascript|vbscript|livescript|mocha):|^data:(?!image\/(?:png|jpe?g|gif|webp|avif)[;,])/.test(
    plain,
  )
}

/** What a text that is a value of data has of all of that. */
export function textCode(text: string, delimiters: readonly string[]): ReadonlySet<string> {
  const found = new Set([...htmlCode(text), ...templateCode(text, delimiters)])
  if (isUnsafeAddress(text)) found.add(text)
  const plain = htmlTokens(text).map((token) => (token.kind === 'text' ? token.value : ''))
  for (const [, address = ''] of plain.join('').matchAll(/\](?:\(|:)\s{0,9}<?([^)>\s]{1,999})/g))
    if (isUnsafeAddress(address)) found.add(address)
  return found
}

/** The code that the second has, and the first has not. */
export const codeAdded = (before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] => [
  ...after.difference(before),
]

/** The sentence of a refusal of code. */
export const codeRefused = (code: string): string =>
  `This text would bring code into the file that was not there: ${code.length > 60 ? `${code.slice(0, 60)}…` : code}`

/**
 * Keys that decide how a page is built, in the frameworks that render such files: in front matter, and in
 * data for all files of a folder. They are shown, and not changed.
 */
const building = {
  data: /^(?:layout|permalink|pagination|templateEngineOverride|dynamicPermalink|eleventy\w*|override:.*)$/,
  front:
    /^(?:cascade|outputs|build|_build|head|script|style|component|import|extends|markup|render|plugins?)$/,
}

/** Whether a key at the top of data decides how a page is built. */
export const isBuilding = (name: string, place: keyof typeof building): boolean =>
  building.data.test(name) || (place === 'front' && building.front.test(name))

/** The first value that an edit may not change, or may not change like that, with the reason. */
export function forbiddenChange(
  before: unknown,
  after: unknown,
  delimiters: readonly string[],
  former: ReadonlySet<string>,
): { readonly rule: 'fixed' | 'code'; readonly because: string } | undefined {
  const known = new Set(textsIn(before)).union(former)
  return visit(before, after)

  function visit(was: unknown, is: unknown): ReturnType<typeof forbiddenChange> {
    if (typeof is === 'string') {
      if (was === is || known.has(is)) return undefined
      const [code] = codeAdded(
        textCode(typeof was === 'string' ? was : '', delimiters),
        textCode(is, delimiters),
      )
      return code === undefined ? undefined : { rule: 'code', because: codeRefused(code) }
    }
    if (Array.isArray(is)) {
      const old: readonly unknown[] = Array.isArray(was) ? was : []
      return first(is.map((each, n) => visit(old[n], each)))
    }
    if (!isPlainObject(is)) return undefined
    const old = isPlainObject(was) ? was : {}
    return first(Object.keys(is).map((name) => visit(ownValue(old, name), is[name])))
  }
}

type Values = Readonly<Record<string, unknown>>
const builtValue = (values: Values, name: string): string => JSON.stringify([name, values[name]])

/** Returns the values of data or front matter that belong to the build, with their names. */
export const builtValues = (values: Values): readonly string[] =>
  Object.keys(values).flatMap((name) => (isBuilding(name, 'front') ? [builtValue(values, name)] : []))

/** The first name at the top of data that is changed, added or removed, and belongs to the build. */
export function builtName(
  before: Values,
  after: Values,
  place: keyof typeof building,
  former: ReadonlySet<string>,
): string | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].find((name) => {
    const is = builtValue(after, name)
    return isBuilding(name, place) && builtValue(before, name) !== is && !former.has(is)
  })
}

const first = <T>(values: readonly (T | undefined)[]): T | undefined =>
  values.find((each) => each !== undefined)

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isPlainObject(value) ? Object.values(value).flatMap(textsIn) : []
}
