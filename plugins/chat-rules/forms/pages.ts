/** Forms that change pages, their data for search engines, and the site. */
import { pagesIn } from '../../content/draft-view.ts'
import type { Page } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { canonicalSlug, home, seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import { type Change, form, type Form } from '../match.ts'
import { type Found, one, pagesNamed, type Place, prepositions, readPage } from '../references.ts'
import { texts } from '../texts.ts'
import { phraseOf, textOf, type Token } from '../tokens.ts'
import { literal, type Value, valueFor } from '../values.ts'
import { ask, type Work } from '../work.ts'
import { newBlock } from './blocks.ts'

type Tokens = readonly Token[]

function refuseHome({ slug }: Page): void {
  if (slug === home) ask(texts.homeStays)
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
  const blocks =
    work.input.manifest?.get('Hero') || !work.input.manifest
      ? [newBlock(work, 'Hero', { heading: title })]
      : []
  return [{ op: 'create_page', page: { slug, title, blocks } }]
}

/** `a Contact page`: the words before "page" are the name. */
const createNamed = (work: Work, { WORDS }: { readonly WORDS: Tokens }): Change => {
  const isName = WORDS.every(
    ({ kind, word }) => (kind === 'word' || kind === 'number') && !prepositions.has(word),
  )
  const text = textOf(work.message, [{ ...WORDS[0], start: startOf(WORDS) } as Token, ...WORDS.slice(1)])
  return isName
    ? create(work, literal(work, { text, isQuoted: false, isLast: true, tokens: WORDS }))
    : undefined
}

/** The offset of the first word, behind its article. */
const startOf = ([first]: Tokens): number => (first ? first.end - first.text.length : 0)

function rename(page: Page, newPageSlug: string | undefined, newTitle: string | undefined): Change {
  const slug = newPageSlug === page.slug ? undefined : newPageSlug
  const title = newTitle === page.title && slug === undefined ? undefined : newTitle
  return slug === undefined && title === undefined
    ? []
    : [{ op: 'rename_page', pageSlug: page.slug, newPageSlug: slug, newTitle: title }]
}

interface Named {
  readonly PAGE?: Found<Page> | undefined
  readonly VALUE: Value
}

const pageOf = (work: Work, PAGE: Found<Page> | undefined): Page =>
  one(
    work,
    PAGE ?? { words: 'this page', candidates: pagesIn(work.draft).filter(({ slug }) => slug === work.slug) },
  )

const isRoute = ({ tokens }: Value): boolean => tokens.length === 1 && tokens[0]?.kind === 'route'

/** A name changes title and address, an address only the address; the home page keeps its own. */
function renamePage(work: Work, { PAGE, VALUE }: Named): Change {
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

function changeTitle(work: Work, { PAGE, VALUE }: Named): Change {
  const title = literal(work, VALUE)?.trim()
  return title === undefined ? undefined : rename(pageOf(work, PAGE), undefined, title)
}

/** The operation repeats the title, which would follow the address otherwise. */
function changeSlug(work: Work, { PAGE, VALUE }: Named): Change {
  const page = pageOf(work, PAGE)
  refuseHome(page)
  return isRoute(VALUE) ? rename(page, freeSlug(work, VALUE.text, page), undefined) : ask(texts.badSlug)
}

function movePage(work: Work, page: Page, place: Place): Change {
  refuseHome(page)
  const others = work.draft.order.filter((slug) => slug !== home && slug !== page.slug)
  const anchorOf = (tokens: Tokens) =>
    one(work, readPage(work, tokens) ?? { words: phraseOf(tokens), candidates: [] }).slug
  const index = place.where === 'front' ? 0 : place.where === 'end' ? others.length : beside(place)
  if (index === undefined) return undefined
  const now = work.draft.order.filter((slug) => slug !== home).indexOf(page.slug)
  return index === now ? [] : [{ op: 'move_page', pageSlug: page.slug, afterPageSlug: others[index - 1] }]

  function beside(at: Place): number | undefined {
    if (!at.anchor) return undefined
    const slug = anchorOf(at.anchor)
    if (slug === page.slug) ask(texts.besideItself)
    return slug === home ? 0 : others.indexOf(slug) + (at.where === 'after' ? 1 : 0)
  }
}

const setMeta =
  (name: 'title' | 'description' | 'ogImage') =>
  (work: Work, { PAGE, VALUE }: Named): Change => {
    const page = pageOf(work, PAGE)
    const meta = { kind: name === 'ogImage' ? 'image' : 'text', label: 'The social image' } as const
    const value = valueFor(work, { name, meta, value: undefined }, VALUE)
    if (typeof value !== 'string') return undefined
    return ownValue(page.meta ?? {}, name) === value
      ? []
      : [{ op: 'update_page_meta', pageSlug: page.slug, patch: { [name]: value } }]
  }

/** Sets the label of a page in the menu. */
function relabel(work: Work, WORDS: Tokens, VALUE: Value): Change {
  const label = literal(work, VALUE)?.trim()
  const pages = pagesNamed(work, phraseOf(WORDS))
  if (label === undefined || pages.length === 0) return undefined
  const { slug } = one(work, { words: phraseOf(WORDS), candidates: pages })
  return ownValue(work.draft.config.navLabels, slug) === label
    ? []
    : [{ op: 'update_site_config', patch: { navLabels: { [slug]: label } } }]
}

function setSite(work: Work, name: 'name' | 'logo', value: unknown): Change {
  if (typeof value !== 'string') return undefined
  return work.draft.config[name] === value ? [] : [{ op: 'update_site_config', patch: { [name]: value } }]
}

const logo = { name: 'logo', meta: { kind: 'image', label: 'The logo' }, value: undefined } as const

export const pageForms: readonly Form[] = [
  form('create|add page called|named|titled VALUE at ROUTE', (work, { VALUE, ROUTE }) =>
    create(work, literal(work, { ...VALUE, isLast: true }), ROUTE.text),
  ),
  form('create|add page VALUE at ROUTE', (work, { VALUE, ROUTE }) =>
    VALUE.isQuoted ? create(work, VALUE.text, ROUTE.text) : undefined,
  ),
  form('create|add page called|named|titled VALUE', (work, { VALUE }) => create(work, literal(work, VALUE)), [
    [
      '/',
      'Create a new page called Winter Tours',
      '+page /winter-tours "Winter Tours" [Hero {heading: "Winter Tours"}]',
    ],
  ]),
  form('create|add page VALUE', (work, { VALUE }) =>
    VALUE.isQuoted ? create(work, literal(work, VALUE)) : undefined,
  ),
  form('create|add page at ROUTE', (work, { ROUTE }) => create(work, titleFromSlug(ROUTE.text), ROUTE.text), [
    ['/', 'create a page at /faq', '+page /faq "Faq" [Hero {heading: "Faq"}]'],
  ]),
  form('create|add WORDS page', createNamed, [
    ['/', 'Add a Contact page', '+page /contact "Contact" [Hero {heading: "Contact"}]'],
    ['/', 'create an About us page', 'CLARIFY'],
  ]),
  form('create|add page', () => ask(texts.missingName, { joint: ' called ' }), [
    ['/', 'create a new page', 'CLARIFY'],
  ]),
  form(
    'remove|delete PAGE',
    (work, { PAGE }) => {
      const page = one(work, PAGE)
      refuseHome(page)
      return [{ op: 'remove_page', pageSlug: page.slug }]
    },
    [
      ['/', 'Delete the rentals page', '-page /rentals — HELD (remove_page)'],
      ['/about', 'delete this page', '-page /about — HELD (remove_page)'],
      ['/', 'delete the home page', 'CLARIFY'],
      ['/', 'remove the pricing page', 'CLARIFY'],
    ],
  ),
  form('rename PAGE to VALUE', renamePage, [
    ['/about', 'Rename this page to Our Crew', 'ren /about to /our-crew titled "Our Crew"'],
    ['/', 'rename /about to /crew', 'ren /about to /crew'],
    ['/', 'rename the home page to Welcome', 'ren / titled "Welcome"'],
  ]),
  form('retitle PAGE to VALUE', changeTitle, [
    ['/', 'Retitle the about us page to "Who we are"', 'ren /about titled "Who we are"'],
  ]),
  form('set|change|update|rename page title to VALUE', changeTitle, [
    ['/about', 'change the page title to "Who we are"', 'ren /about titled "Who we are"'],
  ]),
  form('set|change|update|rename title of|on PAGE to VALUE', changeTitle),
  form('set|change|update|rename page slug|address to VALUE', changeSlug),
  form('set|change|update|rename slug|address of PAGE to VALUE', changeSlug),
  form(
    'duplicate|copy PAGE [to ROUTE]',
    (work, { PAGE, ROUTE }) => {
      const newPageSlug = ROUTE && freeSlug(work, ROUTE.text)
      return [
        {
          op: 'duplicate_page',
          pageSlug: one(work, PAGE).slug,
          newPageSlug,
          newTitle: undefined,
          afterPageSlug: undefined,
        },
      ]
    },
    [
      ['/', 'Duplicate /rentals to /rentals-winter', 'duppage /rentals to /rentals-winter'],
      ['/about', 'duplicate this page', 'duppage /about'],
    ],
  ),
  form('move PAGE PLACE', (work, { PAGE, PLACE }) => movePage(work, one(work, PAGE), PLACE), [
    ['/', 'move the about us page before the rentals page', 'mvpage /about first'],
    ['/about', 'move this page to the first position', 'mvpage /about first'],
    ['/', 'move the home page to the end', 'CLARIFY'],
  ]),
  form('set|change|update meta|seo title [of|on PAGE] to VALUE', setMeta('title'), [
    [
      '/',
      'change the SEO title of the about us page to "Crew | Fjordline"',
      'meta /about {title: "Crew | Fjordline"}',
    ],
  ]),
  form('set|change|update meta description [of|on PAGE] to VALUE', setMeta('description'), [
    [
      '/',
      'Set the meta description to "Guided kayak tours on the fjord"',
      'meta / {description: "Guided kayak tours on the fjord"}',
    ],
  ]),
  form('set|change|update social image [of|on PAGE] to VALUE', setMeta('ogImage')),
  form('rename site to VALUE', (work, { VALUE }) => setSite(work, 'name', literal(work, VALUE)?.trim()), [
    ['/', 'Rename the site to Fjordline', 'site {name: "Fjordline"}'],
  ]),
  form(
    'set|change|update logo to VALUE',
    (work, { VALUE }) => setSite(work, 'logo', valueFor(work, logo, VALUE)),
    [['/', 'change the logo to /brand/mark.svg', 'site {logo: "/brand/mark.svg"}']],
  ),
  form('rename WORDS link to VALUE', (work, { WORDS, VALUE }) => relabel(work, WORDS, VALUE), [
    ['/', 'rename the About us link to "Crew"', 'site {navLabels: {"/about": "Crew"}}'],
  ]),
]
