/** Decides between the values that the texts of a page could be. */
import { inOrder } from '../files/port.ts'
import { isFileOf, type WantedText } from './own-document.ts'
import type { TextReport } from './report.ts'
import { isText, type ShownValue } from './values.ts'

export const oneOf = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

/**
 * The value of each picture or link: the only one, or that of the own document. Of several in that, each is the one in its
 * order, if the page has as many.
 */
export function inTurn(
  candidates: readonly (readonly ShownValue[])[],
  own: string | undefined,
): readonly (ShownValue | undefined)[] {
  const mine = candidates.map((values) => {
    const ofOwn = values.filter(({ slug }) => slug === own)
    return ofOwn.length > 0 && values.length > 1 ? ofOwn : values
  })
  return mine.map((values, n) => {
    const isSame = (others: readonly ShownValue[]): boolean =>
      others.length === values.length && others.every((each, k) => each === values[k])
    if (values.length > 1 && (values[0]?.slug !== own || mine.filter(isSame).length !== values.length))
      return undefined
    return values[mine.slice(0, n).filter(isSame).length] ?? oneOf(values)
  })
}

/** The texts that could be values, without the parts of others that could. */
export function longest(
  candidates: readonly (readonly ShownValue[])[],
  parents: readonly number[],
): readonly WantedText[] {
  const isTaken = candidates.map(() => false)
  return candidates.flatMap((values, index) => {
    const isPart = isTaken[parents[index] ?? -1] === true
    isTaken[index] = isPart || values.length > 0
    return isPart || values.length === 0 ? [] : [{ index, values }]
  })
}

const textOf = ([first]: readonly ShownValue[]): string => first?.text ?? ''

/** What decides besides the texts themselves. */
interface Grounds extends Pick<TextReport, 'hints'> {
  /** The slug of the document that the page shows. */
  readonly own: string | undefined
  readonly valuesAt: (slug: string) => readonly ShownValue[]
  /** The title of the page, normalised. */
  readonly title: string
}

/**
 * The value of each text: the only one, else one of the template that a hint names, else one of the own
 * document. The order decides between equal texts of one document. The title of the page may be a text of its
 * template, too.
 */
export function assigned(wanted: readonly WantedText[], { own, hints, valuesAt, title }: Grounds) {
  const files = new Map(hints.map(({ index, file }) => [index, file]))
  const orders = new Map<string, ReadonlyMap<WantedText, ShownValue>>()
  const chosen = wanted.map((text) => {
    const mine = text.values.filter(({ slug }) => slug === own)
    const hinted = text.values.filter(({ slug }) => isFileOf(files.get(text.index), slug))
    const isHinted = hinted.length > 0
    return { text, isHinted, values: isHinted ? hinted : mine.length > 0 ? mine : text.values }
  })
  const found: (ShownValue | undefined)[] = []
  const ambiguous: { readonly index: number; readonly values: readonly ShownValue[] }[] = []
  const counts = new Map<string, number>()
  for (const { values } of wanted) counts.set(textOf(values), (counts.get(textOf(values)) ?? 0) + 1)
  for (const { text, isHinted, values } of chosen) {
    const [first] = values
    // The page has it more often than its document: some of them are those of others.
    const isTitle = first?.blockType === 'Texts' && first.text === title
    const shown = (counts.get(textOf(values)) ?? 0) + (isTitle ? 1 : 0)
    const isMore = !isHinted && values.length < text.values.length && values.length < shown
    const value = (isMore ? undefined : oneOf(values)) ?? (first && inItsOrder(text, first.slug, values))
    if (value) found[text.index] = value
    else ambiguous.push({ index: text.index, values: isMore ? text.values : values })
  }
  return { found, ambiguous }

  function inItsOrder(text: WantedText, slug: string, values: readonly ShownValue[]): ShownValue | undefined {
    if (values.some((value) => value.slug !== slug)) return undefined
    const order = orders.get(slug) ?? orderIn(slug)
    orders.set(slug, order)
    return order.get(text)
  }

  /**
   * A template has the title of the page above its texts. What could be an earlier or a later value is left out.
   */
  function orderIn(slug: string): ReadonlyMap<WantedText, ShownValue> {
    const shown = chosen.filter(({ values }) => values.every((value) => value.slug === slug))
    const inDocument = valuesAt(slug).filter(isText)
    const values = inDocument.map(({ text }) => text)
    const lead = inDocument.some(({ blockType }) => blockType === 'Texts') ? [title] : []
    const texts = [...lead, ...shown.map(({ values }) => values[0]?.text ?? '')]
    const first = inOrder(values, texts)
    const last = inOrder(values.toReversed(), texts.toReversed())
    return new Map(
      shown.flatMap(({ text }, n) => {
        const [at = -1, fromEnd = -1] = [first[n + lead.length], last[shown.length - 1 - n]]
        const value = at === values.length - 1 - fromEnd ? inDocument[at] : undefined
        return value ? [[text, value] as const] : []
      }),
    )
  }
}
