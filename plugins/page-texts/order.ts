/** Decides between the values that the texts of a page could be. */
import { inOrder } from '../files/port.ts'
import { isFileOf, type WantedText } from './own-document.ts'
import type { TextReport } from './report.ts'
import { isText, type ShownValue } from './values.ts'

export const oneOf = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

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

/** What decides besides the texts themselves. */
interface Grounds extends Pick<TextReport, 'hints'> {
  /** The slug of the document that the page shows. */
  readonly own: string | undefined
  readonly valuesAt: (slug: string) => readonly ShownValue[]
}

/**
 * The value of each text: the only one, else one of the own document, else one of the file that a hint names.
 * The order decides between equal texts of one document.
 */
export function assigned(wanted: readonly WantedText[], { own, hints, valuesAt }: Grounds) {
  const files = new Map(hints.map(({ index, file }) => [index, file]))
  const orders = new Map<string, ReadonlyMap<WantedText, ShownValue>>()
  const chosen = wanted.map((text) => {
    const mine = text.values.filter(({ slug }) => slug === own)
    const hinted = text.values.filter(({ slug }) => isFileOf(files.get(text.index), slug))
    return { text, values: [mine, hinted].find((each) => each.length > 0) ?? text.values }
  })
  const found: (ShownValue | undefined)[] = []
  const ambiguous: { readonly index: number; readonly values: readonly ShownValue[] }[] = []
  for (const { text, values } of chosen) {
    const [first] = values
    const value = oneOf(values) ?? (first && inItsOrder(text, first.slug, values))
    if (value) found[text.index] = value
    else ambiguous.push({ index: text.index, values })
  }
  return { found, ambiguous }

  function inItsOrder(text: WantedText, slug: string, values: readonly ShownValue[]): ShownValue | undefined {
    if (values.some((value) => value.slug !== slug)) return undefined
    const order = orders.get(slug) ?? orderIn(slug)
    orders.set(slug, order)
    return order.get(text)
  }

  function orderIn(slug: string): ReadonlyMap<WantedText, ShownValue> {
    const shown = chosen.filter(({ values }) => values.every((value) => value.slug === slug))
    const inDocument = valuesAt(slug).filter(isText)
    const pairs = inOrder(
      inDocument.map(({ text }) => text),
      shown.map(({ values }) => values[0]?.text ?? ''),
    )
    return new Map(
      shown.flatMap(({ text }, n) => {
        const value = inDocument[pairs[n] ?? -1]
        return value ? [[text, value] as const] : []
      }),
    )
  }
}
