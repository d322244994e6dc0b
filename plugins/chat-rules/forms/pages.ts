/** Forms that change pages, their data for search engines, and the site. */
import { pagesIn } from '../../content/draft-view.ts'
import type { Page } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { canonicalSlug, home, seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import { type Change, form, type Form } from '../match.ts'
import {
  type Found,
  one,
  pagesNamed,
  type Destination,
  positionIn,
  prepositions,
  readPage,
} from '../references.ts'
import { texts } from '../texts.ts'
import { phraseOf, type Tokens } from '../tokens.ts'
import { literal, type Value, valueFor } from '../values.ts'
import { ask, type Work } from '../work.ts'
import { newBlock } from './items.ts'

/** The page that is meant: the one being edited where none is named. */
const pageOf = (work: Work, PAGE: Found<Page> | undefined): Page =>
  one(
    work,
    PAGE ?? { words: 'this page', candidates: pagesIn(work.draft).filter(({ slug }) => slug === work.slug) },
  )

function refuseHome(page: Page): Page {
  return page.slug === home ? ask(texts.homeStays) : page
}

/** The canonical form of an address that no other page has. */
function freeSlug(work: Work, address: string, except?: Page): string {
  const slug = canonicalSlug(address)
  if (slug === undefined || slug === home) return ask(texts.badSlug)
  return slug !== except?.slug && work.draft.page(slug) ? ask(texts.slugTaken(slug)) : slug
}

function refuseTitle(work: Work, title: string, except?: Page): void {
  const same = pagesIn(work.draft).find(
    (page) => page !== except && page.title.toLowerCase() === title.toLowerCase(),
  )
  if (same) ask(texts.slugTaken(same.slug))
}

function create(work: Work, title: string | undefined, address?: string): Change {
  if (title === undefined) return undefined
  const slug = freeSlug(work, address ?? `/${seedFromWords(title)}`)
  refuseTitle(work, title)
  const { manifest } = work.input
  const hasHero = !manifest || manifest.get('Hero') !== undefined
  return [
    {
      op: 'create_page',
      page: { slug, title, blocks: hasHero ? [newBlock(work, 'Hero', { heading: title })] : [] },
    },
  ]
}

/** `a Contact page`: the words before "page" are the name. */
function createNamed(work: Work, { NAME }: { readonly NAME: Tokens }): Change {
  const isName = NAME.every(
    ({ kind, word }) => (kind === 'word' || kind === 'number') && !prepositions.has(word),
  )
  const [first, last] = [NAME[0], NAME.at(-1)]
  if (!isName || !first || !last) return undefined
  const text = work.message.slice(first.end - first.text.length, last.end)
  return create(work, literal(work, { text, isQuoted: false, isLast: true, tokens: NAME }))
}

function rename(page: Page, slug: string | undefined, title: string | undefined): Change {
  const newPageSlug = slug === page.slug ? undefined : slug
  const newTitle = title === page.title && newPageSlug === undefined ? undefined : title
  if (newPageSlug === undefined && newTitle === undefined) return []
  return [{ op: 'rename_page', pageSlug: page.slug, newPageSlug, newTitle }]
}

interface Naming {
  readonly PAGE?: Found<Page> | undefined
  readonly VALUE: Value
}

/** A name changes title and address, an address only the address; the home page keeps its own. */
function renamePage(work: Work, { PAGE, VALUE }: Naming): Change {
  const page = pageOf(work, PAGE)
  if (isRoute(VALUE)) return changeSlug(work, { PAGE, VALUE })
  const title = literal(work, VALUE)?.trim()
  if (title === undefined) return undefined
  refuseTitle(work, title, page)
  return rename(
    page,
    page.slug === home ? undefined : freeSlug(work, `/${seedFromWords(title)}`, page),
    title,
  )
}

function changeTitle(work: Work, { PAGE, VALUE }: Naming): Change {
  const title = literal(work, VALUE)?.trim()
  return title === undefined ? undefined : rename(pageOf(work, PAGE), undefined, title)
}

const isRoute = ({ tokens }: Value): boolean => tokens.length === 1 && tokens[0]?.kind === 'route'

function changeSlug(work: Work, { PAGE, VALUE }: Naming): Change {
  const page = refuseHome(pageOf(work, PAGE))
  return isRoute(VALUE) ? rename(page, freeSlug(work, VALUE.text, page), undefined) : ask(texts.badSlug)
}

function move(work: Work, { slug: pageSlug }: Page, destination: Destination): Change {
  if (destination.where === 'up' || destination.where === 'down') return undefined
  const { order } = work.draft
  const read = (anchor: Tokens) => {
    const page = readPage(work, anchor)
    return page && { id: one(work, page).slug }
  }
  const others = order.filter((slug) => slug !== pageSlug)
  // Nothing stands before the home page.
  const position = Math.max(positionIn(order, destination, read, pageSlug), 1)
  const anchor = others[position - 1]
  const afterPageSlug = anchor === home ? undefined : anchor
  return position === order.indexOf(pageSlug) ? [] : [{ op: 'move_page', pageSlug, afterPageSlug }]
}

const setMeta =
  (name: 'title' | 'description' | 'ogImage') =>
  (work: Work, { PAGE, VALUE }: Naming): Change => {
    const page = pageOf(work, PAGE)
    const meta = { kind: name === 'ogImage' ? 'image' : 'text', label: 'The social image' } as const
    const value = valueFor(work, { name, meta }, VALUE)
    if (typeof value !== 'string') return undefined
    return ownValue(page.meta ?? {}, name) === value
      ? []
      : [{ op: 'update_page_meta', pageSlug: page.slug, patch: { [name]: value } }]
  }

/** Sets the label of a page in the menu. */
function relabel(work: Work, words: string, value: Value): Change {
  const label = literal(work, value)?.trim()
  const pages = pagesNamed(work, words)
  if (label === undefined || pages.length === 0) return undefined
  const { slug } = one(work, { words, candidates: pages })
  return ownValue(work.draft.config.navLabels, slug) === label
    ? []
    : [{ op: 'update_site_config', patch: { navLabels: { [slug]: label } } }]
}

function setSite(work: Work, name: 'name' | 'logo', value: unknown): Change {
  if (typeof value !== 'string') return undefined
  return work.draft.config[name] === value ? [] : [{ op: 'update_site_config', patch: { [name]: value } }]
}

const logo = { name: 'logo', meta: { kind: 'image', label: 'The logo' } } as const

export const pageForms: readonly Form[] = [
  form(
    'create|add page [called|named|titled VALUE] [at ROUTE]',
    (work, { VALUE, ROUTE }) => {
      // In front of a route a name needs no quotes.
      if (VALUE) return create(work, literal(work, ROUTE ? { ...VALUE, isLast: true } : VALUE), ROUTE?.text)
      if (ROUTE) return create(work, titleFromSlug(ROUTE.text), ROUTE.text)
      return ask(texts.missingName, { joint: ' called ' })
    },
    `/: create a page called Guides at /crew => +page /crew "Guides" [Hero {heading: "Guides"}]
    /: Create a new page called Winter Tours => +page /winter-tours "Winter Tours" [Hero {heading: "Winter Tours"}]
    /: create a page at /faq => +page /faq "Faq" [Hero {heading: "Faq"}]
    /: create a new page => CLARIFY`,
  ),
  form(
    'create|add page TEXT [at ROUTE]',
    (work, { TEXT, ROUTE }) => create(work, TEXT.text.trim() || ask(texts.emptyValue), ROUTE?.text),
    '/: create a page "Our boats" at /boats => +page /boats "Our boats" [Hero {heading: "Our boats"}]',
  ),
  form(
    'create|add NAME page',
    createNamed,
    `/: Add a Contact page => +page /contact "Contact" [Hero {heading: "Contact"}]
    /: create an About us page => CLARIFY`,
  ),
  form(
    'remove|delete PAGE',
    (work, { PAGE }) => [{ op: 'remove_page', pageSlug: refuseHome(one(work, PAGE)).slug }],
    `/: Delete the rentals page => -page /rentals — HELD (remove_page)
    /about: delete this page => -page /about — HELD (remove_page)
    /: delete the home page => CLARIFY
    /: remove the pricing page => CLARIFY`,
  ),
  form(
    'rename PAGE to VALUE',
    renamePage,
    `/about: Rename this page to Our Crew => ren /about to /our-crew titled "Our Crew"
    /: rename /about to /crew => ren /about to /crew
    /: rename the home page to Welcome => ren / titled "Welcome"`,
  ),
  form(
    'set|change|update|rename page title to VALUE',
    changeTitle,
    '/about: change the page title to "Who we are" => ren /about titled "Who we are"',
  ),
  form(
    'set|change|update|rename title of|on PAGE to VALUE',
    changeTitle,
    '/: change the title of the about us page to "Who we are" => ren /about titled "Who we are"',
  ),
  form(
    'set|change|update|rename page slug|address to VALUE',
    changeSlug,
    '/about: change the page address to /crew => ren /about to /crew',
  ),
  form(
    'set|change|update|rename slug|address of PAGE to VALUE',
    changeSlug,
    '/: change the slug of the about us page to /crew => ren /about to /crew',
  ),
  form(
    'duplicate|copy PAGE [to ROUTE]',
    (work, { PAGE, ROUTE }) => {
      const newPageSlug = ROUTE && freeSlug(work, ROUTE.text)
      const left = { newTitle: undefined, afterPageSlug: undefined }
      return [{ op: 'duplicate_page', pageSlug: one(work, PAGE).slug, newPageSlug, ...left }]
    },
    `/: Duplicate /rentals to /rentals-winter => duppage /rentals to /rentals-winter
    /about: duplicate this page => duppage /about`,
  ),
  form(
    'move|put PAGE PLACE',
    (work, { PAGE, PLACE }) => move(work, refuseHome(one(work, PAGE)), PLACE),
    `/: move the about us page before the rentals page => mvpage /about first
    /about: move this page to the first position => mvpage /about first
    /: move the home page to the end => CLARIFY`,
  ),
  form(
    'set|change|update meta|seo title [of|on PAGE] to VALUE',
    setMeta('title'),
    '/: change the SEO title of the about us page to "Crew | Fjordline" => meta /about {title: "Crew | Fjordline"}',
  ),
  form(
    'set|change|update meta description [of|on PAGE] to VALUE',
    setMeta('description'),
    '/: Set the meta description to "Guided kayak tours on the fjord" => meta / {description: "Guided kayak tours on the fjord"}',
  ),
  form(
    'set|change|update social image [of|on PAGE] to VALUE',
    setMeta('ogImage'),
    '/: set the social image to /img/og.png => meta / {ogImage: "/img/og.png"}',
  ),
  form(
    'rename site to VALUE',
    (work, { VALUE }) => setSite(work, 'name', literal(work, VALUE)?.trim()),
    '/: Rename the site to Fjordline => site {name: "Fjordline"}',
  ),
  form(
    'set|change|update logo to VALUE',
    (work, { VALUE }) => setSite(work, 'logo', valueFor(work, logo, VALUE)),
    '/: change the logo to /brand/mark.svg => site {logo: "/brand/mark.svg"}',
  ),
  form(
    'rename NAME link to VALUE',
    (work, { NAME, VALUE }) => relabel(work, phraseOf(NAME), VALUE),
    '/: rename the About us link to "Crew" => site {navLabels: {"/about": "Crew"}}',
  ),
]
