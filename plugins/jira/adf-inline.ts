/** A mark of Atlassian Document Format. */
export type Mark =
  | { readonly type: 'strong' | 'em' | 'code' }
  | { readonly type: 'link'; readonly attrs: { readonly href: string } }

export interface TextNode {
  readonly type: 'text'
  readonly text: string
  readonly marks?: readonly Mark[]
}

const longestLabel = 500
const longestAddress = 2_000

/** A marked part of a text, and the position after it. */
interface Found {
  readonly inner: string
  readonly mark: Mark
  readonly end: number
}

/** Parses `**strong**`, `_em_`, `` `code` `` and `[label](address)` in a line; marks nest, except in code. */
export function toInline(text: string, marks: readonly Mark[] = []): readonly TextNode[] {
  const nodes: TextNode[] = []
  // An opening token without a closing one will not find one later either.
  const unclosed = new Set<string>()
  let plain = ''
  const flush = (): void => {
    if (plain !== '') nodes.push(toNode(plain, marks))
    plain = ''
  }
  for (let at = 0; at < text.length;) {
    const found = finders[text.charAt(at)]?.(text, at, unclosed)
    if (!found || marks.some(({ type }) => type === found.mark.type)) {
      plain += text.charAt(at++)
      continue
    }
    flush()
    const inside = [...marks, found.mark]
    nodes.push(
      ...(found.mark.type === 'code'
        ? [
            toNode(
              found.inner,
              inside.filter(({ type }) => type === 'code' || type === 'link'),
            ),
          ]
        : toInline(found.inner, inside)),
    )
    at = found.end
  }
  flush()
  return nodes
}

const toNode = (text: string, marks: readonly Mark[]): TextNode =>
  marks.length === 0 ? { type: 'text', text } : { type: 'text', text, marks }

type Finder = (text: string, at: number, unclosed: Set<string>) => Found | undefined

const finders: Readonly<Record<string, Finder>> = {
  '`': (text, at, unclosed) => between(text, { at, token: '`', mark: { type: 'code' }, unclosed }),
  '*': (text, at, unclosed) =>
    text.startsWith('**', at)
      ? between(text, { at, token: '**', mark: { type: 'strong' }, unclosed })
      : undefined,
  _: emphasis,
  '[': link,
}

function between(
  text: string,
  {
    at,
    token,
    mark,
    unclosed,
  }: { readonly at: number; readonly token: string; readonly mark: Mark; readonly unclosed: Set<string> },
): Found | undefined {
  const start = at + token.length
  const close = unclosed.has(token) ? -1 : text.indexOf(token, start)
  if (close < 0) unclosed.add(token)
  return close > start ? { inner: text.slice(start, close), mark, end: close + token.length } : undefined
}

const isWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character)
const isBlank = (character: string): boolean => character.trim() === ''

/** Does not match inside words such as `snake_case`. */
function emphasis(text: string, at: number, unclosed: Set<string>): Found | undefined {
  if (unclosed.has('_') || isWord(text.charAt(at - 1)) || isBlank(text.charAt(at + 1))) return undefined
  for (let close = text.indexOf('_', at + 2); close >= 0; close = text.indexOf('_', close + 1)) {
    const isClosing = !isBlank(text.charAt(close - 1)) && !isWord(text.charAt(close + 1))
    if (isClosing) return { inner: text.slice(at + 1, close), mark: { type: 'em' }, end: close + 1 }
  }
  unclosed.add('_')
  return undefined
}

function link(text: string, at: number): Found | undefined {
  const middle = text.slice(at, at + longestLabel).indexOf('](')
  if (middle < 2) return undefined
  const start = at + middle + 2
  const length = text.slice(start, start + longestAddress).indexOf(')')
  const href = safeAddress(text.slice(start, start + Math.max(length, 0)))
  return href === undefined
    ? undefined
    : {
        inner: text.slice(at + 1, at + middle),
        mark: { type: 'link', attrs: { href } },
        end: start + length + 1,
      }
}

/** Other schemes could run a program. */
function safeAddress(text: string): string | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text)
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
