import type { Page } from '../content/page.ts'
import { renderedText } from '../content/rendered-text.ts'
import { pictureOf, samePicture } from './addresses.ts'
import { isSameButBlanks, segmentsAsShown } from './markup.ts'
import { assigned, inTurn, longest } from './order.ts'
import { ownDocument } from './own-document.ts'
import type { PlacedTexts, TextPlace, TextReport } from './report.ts'
import { createTextIndex } from './text-index.ts'
import { fileOf, isFixed, isText, keyOf, linkKey, pictureKey, type ShownValue } from './values.ts'

/** Finds where the texts of a page are in the content. */
export interface Places {
  /** Takes a page that was added or changed. */
  update(page: Page): void
  remove(slug: string): void
  /** Says for each text, picture and link of a page which value it is, if it can be only one. */
  place(report: TextReport): PlacedTexts
}

/** A text of a template as a page shows it, with fewer blanks beside its tags. */
function asShown(value: ShownValue, text: string): ShownValue | undefined {
  const { blockType, segments } = value
  const shown = blockType === 'Texts' && segments ? segmentsAsShown(segments, text) : undefined
  return shown && { ...value, text, segments: shown }
}

/** Further candidates are not listed. */
const mostCandidates = 20

/** Returns the places of pages, which are read without parsing them. */
export function createPlaces(pages: readonly Page[]): Places {
  const { update, remove, pageAt, valuesAt, find } = createTextIndex()
  for (const page of pages) update(page)

  const valuesOfText = (text: string): readonly ShownValue[] => {
    const found = find(keyOf(text), (value) => isText(value) && isSameButBlanks(value.text, text))
    const same = found.filter((value) => value.text === text)
    return same.length > 0 ? same : found.flatMap((value) => asShown(value, text) ?? [])
  }

  const candidatesFor = (texts: readonly string[]): readonly (readonly ShownValue[])[] => {
    const byText = new Map<string, readonly ShownValue[]>()
    return texts.map((shown) => {
      const { text } = renderedText(shown)
      const found = byText.get(text) ?? valuesOfText(text)
      byText.set(text, found)
      return found
    })
  }

  const toPlace = (index: number, value: ShownValue): TextPlace => {
    const page = pageAt(value.slug)
    return { index, file: page ? fileOf(page) : value.slug, isFixed: isFixed(value.blockType), ...value }
  }

  return {
    update,
    remove,
    place({ path, title = '', texts, parents = [], images, links, hints }) {
      const wanted = longest(candidatesFor(texts), parents)
      const own = ownDocument({ path, hints }, wanted, pageAt)
      const { found, ambiguous } = assigned(wanted, {
        own: own?.slug,
        hints,
        valuesAt,
        title: renderedText(title).text,
      })
      const pictures = inTurn(
        images.map((address) =>
          find(
            pictureKey(pictureOf(address)),
            ({ kind, value }) => kind === 'image' && samePicture(address, value),
          ),
        ),
        own?.slug,
      )
      const addresses = inTurn(
        links.map(({ href }) =>
          find(linkKey(href), ({ kind, value }) => kind === 'link' && linkKey(value) === linkKey(href)),
        ),
        own?.slug,
      )
      return {
        document: own && { slug: own.slug, title: own.title },
        places: [found, pictures, addresses].flatMap((each) =>
          each.flatMap((value, index) => (value ? [toPlace(index, value)] : [])),
        ),
        ambiguous: ambiguous.map(({ index, values }) => ({
          index,
          candidates: values.slice(0, mostCandidates).map((value) => toPlace(index, value)),
        })),
      }
    },
  }
}
