/** A regular expression literal in a source text. */
export interface Literal {
  readonly source: string
  readonly flags: string
  readonly line: number
}

/** After these a slash is a division; after anything else it starts a regular expression. */
const operandEnd = /[\w$)\]}"'`]$/
const keywordEnd = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/
const literal = /\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([a-z]*)/y

/**
 * Finds the regular expression literals of a source text.
 *
 * Handles comments, strings, nested templates, and classes in an expression. After `)` and `}` a slash counts as a
 * division.
 */
export function regexLiterals(text: string): readonly Literal[] {
  const found: Literal[] = []
  /** The number of open braces in each entered template. */
  const templates: number[] = []
  let before = ''
  let at = text.startsWith('#!') ? text.indexOf('\n') : 0

  const toEndOfText = (quote: string): void => {
    for (at++; at < text.length && text[at] !== quote; at++) if (text[at] === '\\') at++
    at++
    before = quote
  }
  const throughTemplate = (): void => {
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1
    if (text[at] === '`') {
      at++
      before = '`'
    } else {
      at += 2
      before = '{'
      templates.push(0)
    }
  }
  const throughLiteral = (): void => {
    literal.lastIndex = at
    const [match = '/', source = '', flags = ''] = literal.exec(text) ?? []
    if (source !== '') found.push({ source, flags, line: text.slice(0, at).split('\n').length })
    at += match.length
    before = ')'
  }

  while (at < text.length) {
    const char = text[at] ?? ''
    if (text.startsWith('//', at)) at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 2
    else if (char === "'" || char === '"') toEndOfText(char)
    else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop()
      at++
      throughTemplate()
    } else if (char === '/' && (!operandEnd.test(before) || keywordEnd.test(before))) throughLiteral()
    else {
      const step = char === '{' ? 1 : char === '}' ? -1 : 0
      if (templates.length > 0 && step !== 0) templates.push((templates.pop() ?? 0) + step)
      const [word = char] = /^[\w$]+/.exec(text.slice(at, at + 40)) ?? []
      at += word.length
      if (/\S/.test(word)) before = word
    }
  }
  return found
}
