import { Tokenizer, TokenizerMode, type Token } from 'parse5'

/** A piece of markup, with its place. Texts are decoded. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly value: string; readonly from: number; readonly to: number }
  | { readonly kind: 'tag'; readonly name: string; readonly attributes: readonly HtmlAttribute[] }
  | { readonly kind: 'end' | 'other'; readonly name: string }

export interface HtmlAttribute {
  readonly name: string
  readonly value: string
  /** From the name to the end of the value. */
  readonly from: number
  readonly to: number
}

/** Elements whose content is not markup. */
const raw: Readonly<Record<string, number>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
}

/**
 * Returns the tokens of markup in their order.
 *
 * No tree is built: a template may open an element that another one closes. Texts in scripts and styles are
 * tokens of the kind `other`.
 */
export function htmlTokens(markup: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = []
  let within = ''
  let text: { value: string; from: number; to: number } | undefined
  const flush = (): void => {
    if (text)
      tokens.push(
        within === '' || within === 'title' || within === 'textarea'
          ? { kind: 'text', ...text }
          : { kind: 'other', name: text.value },
      )
    text = undefined
  }
  const characters = (token: Token.CharacterToken): void => {
    const place = token.location
    if (!place) return
    if (text) text = { value: text.value + token.chars, from: text.from, to: place.endOffset }
    else text = { value: token.chars, from: place.startOffset, to: place.endOffset }
  }
  const other = (name: string): void => {
    flush()
    tokens.push({ kind: 'other', name })
  }
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { tagName, attrs } = token
        flush()
        const attributes = attrs.map(({ name, value }) => {
          const place = token.location?.attrs?.[name]
          return { name, value, from: place?.startOffset ?? 0, to: place?.endOffset ?? 0 }
        })
        tokens.push({ kind: 'tag', name: tagName, attributes })
        const mode = raw[tagName]
        if (mode === undefined) return
        within = tagName
        tokenizer.state = mode as typeof tokenizer.state
      },
      onEndTag({ tagName }) {
        flush()
        within = ''
        tokens.push({ kind: 'end', name: tagName })
      },
      onComment: ({ data }) => other(`<!--${data}-->`),
      onDoctype: () => other('<!doctype>'),
      onEof: flush,
      onCharacter: characters,
      onWhitespaceCharacter: characters,
      onNullCharacter: characters,
    },
  )
  tokenizer.write(markup, true)
  return tokens
}
