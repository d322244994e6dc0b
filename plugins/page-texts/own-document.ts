/** Which document a page shows. */
import type { Page } from '../content/page.ts'
import { renderedText } from '../content/rendered-text.ts'
import { pathOfSlug } from '../files/port.ts'
import type { TextReport } from './report.ts'
import { fileOf, isDocument, isUntitled, kindOf, pageType, type ShownValue } from './values.ts'

/** A text of the page, with the values that it could be. */
export interface WantedText {
  readonly index: number
  readonly values: readonly ShownValue[]
}

/** How long a text is that two documents hardly share. */
const longText = 40

interface Evidence {
  isTitled: boolean
  weight: number
  readonly long: Set<string>
}

/**
 * Returns the document whose title, or address if it has none, and two long texts are those of the page with twice
 * the weight of the next one; if there is none, the template of the address.
 */
export function ownDocument(
  { path, hints }: Pick<TextReport, 'path' | 'hints'>,
  wanted: readonly WantedText[],
  pageAt: (slug: string) => Page | undefined,
): Page | undefined {
  const evidence = new Map<string, Evidence>()
  for (const { values } of wanted)
    for (const value of new Map(values.map((each) => [each.slug, each])).values()) {
      const page = pageAt(value.slug)
      if (!page) continue
      const of = evidence.get(page.slug) ?? { isTitled: false, weight: 0, long: new Set() }
      evidence.set(page.slug, of)
      of.isTitled ||= isTitle(value, page)
      of.weight += value.text.length
      if (value.text.length >= longText) of.long.add(value.text)
    }
  const found = [...evidence].flatMap(([slug, of]) => {
    const page = pageAt(slug)
    return page ? [{ page, ...of }] : []
  })
  const [first, second] = found.filter(({ page }) => isDocument(page)).toSorted((a, b) => b.weight - a.weight)
  const isNamed = first && (first.isTitled || (isUntitled(first.page) && endsAs(fileOf(first.page), path)))
  const isProven = isNamed && first.long.size >= Math.min(2, Math.max(1, longIn(first.page)))
  if (isProven && first.weight >= 2 * (second?.weight ?? 0)) return first.page
  // A short document, or one without a title, is recognised by its address, if its folder is that of the address.
  const routed = found.filter(
    ({ page, isTitled }) => (isTitled || isUntitled(page)) && isDocument(page) && isRouteOf(page, path, []),
  )
  if (routed.length === 1) return routed[0]?.page
  const templates = found.map(({ page }) => page).filter((page) => kindOf(page) === 'template')
  return templates.find((page) => isRouteOf(page, path, hints))
}

function isTitle({ blockType, path, text }: ShownValue, { title }: Page): boolean {
  const isOne = blockType === pageType ? path === 'title' : blockType === 'Heading'
  return isOne && text === renderedText(title).text
}

/** How many long texts a document has, about. */
const longIn = ({ blocks }: Page): number =>
  blocks.filter(({ type, props: { text } }) => {
    const hasWords = type === 'Paragraph' || type === 'List' || type === 'Quote'
    return hasWords && typeof text === 'string' && renderedText(text).text.length >= longText
  }).length

/** Whether a template is the file of an address: by its path, or as a page that hints name. */
function isRouteOf(page: Page, address: string, hints: TextReport['hints']): boolean {
  const file = fileOf(page)
  const rest = /^(?:.*\/)?(?:pages|routes|app|src|site|content)\/(.*)$|^(.*)$/.exec(
    file.replace(/\.\w+$/, ''),
  )
  const own = `/${rest?.[1] ?? rest?.[2] ?? ''}`
  if (route(own) === route(address.replace(/\.html$/, ''))) return true
  return /(?:^|\/)(?:pages|routes)\//.test(file) && hints.some((hint) => isFileOf(hint.file, page.slug))
}

/** Whether the path of a file ends as an address does, in whatever folder the website has its pages. */
function endsAs(file: string, address: string): boolean {
  const names = route(address)
  const own = `/${file.replace(/\.\w+$/, '')}`
  return names === '' ? own.endsWith('/index') : own.endsWith(`/${names}`) || own.endsWith(`/${names}/index`)
}

/** The names of an address, without an index at its end. */
function route(path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return (names.at(-1) === 'index' ? names.slice(0, -1) : names).join('/')
}

/** Whether a file that a hint names is that of a page. */
export function isFileOf(file: string | undefined, slug: string): boolean {
  const path = pathOfSlug(slug)
  return path !== undefined && file !== undefined && `/${file.replaceAll('\\', '/')}`.endsWith(`/${path}`)
}
