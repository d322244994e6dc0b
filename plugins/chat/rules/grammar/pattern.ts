/**
 * A form of words, as the tables of a lexicon write it:
 *
 * `word` stands for itself, `@class` for any phrase of a word class (`@class*`: any number of them), `$Slot` or
 * `key:$Slot` for whatever the slot reads, `[…]` for what may be missing, `(a | b)` for a choice.
 */
export type Pattern =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'class'; readonly name: string; readonly isRepeated: boolean }
  | { readonly kind: 'slot'; readonly name: string; readonly key: string }
  | { readonly kind: 'sequence'; readonly pieces: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }

/** Reads a form. Throws an Error where brackets do not match: a form is part of the program. */
export function toPattern(form: string): Pattern {
  const words = form.match(/[[\]()|]|[^\s[\]()|]+/g) ?? []
  let at = 0
  const pattern = choice('')
  if (at < words.length) throw new Error(`The form '${form}' has a '${words[at]}' too many.`)
  return pattern

  function choice(close: string): Pattern {
    const options = [sequence()]
    while (words[at] === '|') {
      at += 1
      options.push(sequence())
    }
    if (close !== '' && words[at++] !== close) throw new Error(`The form '${form}' lacks a '${close}'.`)
    const [only] = options
    return options.length === 1 && only ? only : { kind: 'choice', options }
  }

  function sequence(): Pattern {
    const pieces: Pattern[] = []
    for (let word = words[at]; word !== undefined && !')]|'.includes(word); word = words[at]) {
      at += 1
      pieces.push(word === '(' ? choice(')') : word === '[' ? optional(choice(']')) : single(word))
    }
    const [only] = pieces
    return pieces.length === 1 && only ? only : { kind: 'sequence', pieces }
  }
}

const nothing: Pattern = { kind: 'sequence', pieces: [] }
const optional = (pattern: Pattern): Pattern => ({ kind: 'choice', options: [pattern, nothing] })

function single(word: string): Pattern {
  const [, key, slot] = /^(?:(\w+):)?\$(\w+)$/.exec(word) ?? []
  if (slot !== undefined) return { kind: 'slot', name: slot, key: key ?? slot.toLowerCase() }
  const [, name, star] = /^@(\w+)(\*)?$/.exec(word) ?? []
  return name === undefined ? { kind: 'word', word } : { kind: 'class', name, isRepeated: star === '*' }
}
