import { isIP } from 'node:net'
import { leadsOf } from '../../content/redirects.ts'
import { isFilePath, isSchemeless } from '../../content/site-address.ts'
import { coerceSlug, routeFolder } from '../../content/slugs.ts'
import { isBlockedAddress } from '../../outbound/port.ts'
import { takesText, writes, type Fix } from '../view/finding.ts'
import { aboutLink, isLink, linkTextOf, type Link } from '../view/links.ts'
import { defineRule, filled, type Rule } from '../view/rule.ts'

/** Control characters and spaces, which browsers remove from an address before they parse its scheme. */
const ignored = /[\p{Cc} ]+/gu
const schemeOf = (target: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(target.replace(ignored, ''))?.[1]?.toLowerCase()
const isUnsafe = (target: string): boolean => {
  const scheme = schemeOf(target)
  if (scheme === 'data') return !/^data:image\//i.test(target.replace(ignored, ''))
  return scheme === 'javascript' || scheme === 'vbscript' || scheme === 'file'
}

const webAddress = ({ target, to }: Link): URL | undefined =>
  !to && /^https?:\/\//i.test(target) ? (URL.parse(target) ?? undefined) : undefined

function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(host) !== 0) return isBlockedAddress(host)
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.local') ||
    host.endsWith('.internal')
  )
}

const isPage = (path: string): boolean =>
  path !== '' && routeFolder(`${path}/`) === undefined && !/^\/assets(?:\/|$)/.test(path) && !isFilePath(path)

const clear = (link: Link): Fix | undefined => {
  const { field } = link
  return field && !field.isRequired ? writes('auto', 'Remove the link', field.write, null) : undefined
}

export const linkRules: readonly Rule[] = [
  defineRule({
    id: 'links.internal-missing',
    title: 'Link to a missing page',
    severity: 'error',
    pagesOnly: true,
    fix: 'suggest',
    *site({ pages, byPath, redirects, placeOf }) {
      const lead = leadsOf(redirects)
      let near: ReturnType<typeof nearestSlugs> | undefined
      for (const { links } of pages) {
        for (const link of links) {
          const to = placeOf(link)
          if (!to || byPath.has(to.path) || !isPage(to.path) || lead(to.path) !== undefined) continue
          near ??= nearestSlugs(pages.map(({ slug }) => slug))
          yield {
            ...aboutLink(link, 'The link leads to a missing page.', leadTo(link, near(to.path))),
            of: link.target,
          }
        }
        yield undefined
      }
    },
  }),
  defineRule({
    id: 'links.redirected',
    title: 'Link to a former address',
    severity: 'info',
    pagesOnly: true,
    fix: 'auto',
    *site({ pages, byPath, redirects, placeOf }) {
      const lead = leadsOf(redirects)
      for (const { links } of pages) {
        for (const link of links) {
          const { target, field } = link
          const to = placeOf(link)
          const now = to && !byPath.has(to.path) ? lead(to.path) : undefined
          if (now === undefined) continue
          const wanted = /[?#]/.test(now) ? now : now + target.replace(/^[^?#]*/, '')
          yield aboutLink(
            link,
            `The page has moved: visitors are led on to ${now.slice(0, 80)}.`,
            writes('auto', `Link to ${wanted.slice(0, 80)}`, field?.write, wanted),
          )
        }
        yield undefined
      }
    },
  }),
  defineRule({
    id: 'links.anchor-missing',
    title: 'Link to a missing anchor',
    severity: 'warning',
    pagesOnly: true,
    *site({ pages, byPath, placeOf }) {
      for (const page of pages) {
        for (const link of page.links) {
          const to = placeOf(link)
          if (!to || to.fragment === '' || to.fragment === 'top') continue
          const target = to.path === '' ? page : byPath.get(to.path)
          if (target?.anchors?.has(to.fragment) === false)
            yield aboutLink(link, 'The page has no anchor with this name.')
        }
        yield undefined
      }
    },
  }),
  defineRule({
    id: 'links.empty',
    title: 'Link without a target',
    severity: 'warning',
    fix: 'suggest',
    *page({ fields }) {
      for (const field of fields.filter(isLink)) {
        const { at, value, write } = field
        if (typeof value !== 'string' || (value.trim() !== '' && value.trim() !== '#')) continue
        if (filled(linkTextOf(field)?.value))
          yield {
            at,
            message: 'The link has a text but no target.',
            value,
            fix: takesText('Give it a target', write),
          }
      }
    },
  }),
  defineRule({
    id: 'links.unsafe-scheme',
    title: 'Link that runs code or opens a local file',
    severity: 'error',
    fix: 'auto',
    *page({ links }) {
      for (const link of links)
        if (isUnsafe(link.target))
          yield aboutLink(link, 'The link runs code or opens a local file.', clear(link))
    },
  }),
  defineRule({
    id: 'links.scheme-missing',
    title: 'Link to another site without https://',
    severity: 'warning',
    fix: 'auto',
    *page({ links }) {
      for (const link of links.filter(({ target }) => isSchemeless(target))) {
        const meant = `https://${link.target}`
        yield aboutLink(
          link,
          `Did you mean ${meant.slice(0, 80)}? Without https:// the link leads to a missing page of this site.`,
          writes('auto', `Link to ${meant.slice(0, 80)}`, link.field?.write, meant),
        )
      }
    },
  }),
  defineRule({
    id: 'links.private-host',
    title: 'Link into a private network',
    severity: 'error',
    fix: 'auto',
    *site({ pages, siteOrigins, ownOrigins }) {
      for (const { links } of pages) {
        for (const link of links) {
          const url = webAddress(link)
          if (!url || ownOrigins.has(url.origin) || !isPrivateHost(url.hostname)) continue
          const relative = `${url.pathname}${url.search}${url.hash}`
          const fix = siteOrigins.has(url.origin)
            ? writes('auto', `Link to ${relative}`, link.field?.write, relative)
            : undefined
          yield aboutLink(link, 'The link leads to a host that visitors cannot reach.', fix)
        }
        yield undefined
      }
    },
  }),
  defineRule({
    id: 'links.insecure',
    title: 'Unencrypted link',
    severity: 'info',
    *page({ links }) {
      for (const link of links) {
        const url = webAddress(link)
        if (url?.protocol === 'http:' && !isPrivateHost(url.hostname))
          yield aboutLink(link, 'The link uses http instead of https.')
      }
    },
  }),
]

/** The declaration of the rule in `external.ts`, which sends requests to other sites. */
export const deadLink = defineRule({
  id: 'links.dead',
  title: 'Dead link to another site',
  severity: 'warning',
  params: { most: 100 },
})

function leadTo({ target, field }: Link, { sure, close }: Nearest): Fix | undefined {
  const write = field?.write
  if (sure !== undefined)
    return writes(
      'auto',
      `Link to ${sure}`,
      write,
      target.replace(/^[^?#]*/, () => sure),
    )
  return takesText(
    'Link to another page',
    write && ((text) => write(coerceSlug(String(text)) ?? text)),
    close,
  )
}

/** The slugs that a broken link may mean. */
interface Nearest {
  /** The only slug that differs in case, slashes or one edit. */
  readonly sure: string | undefined
  /** Up to three slugs with the same first or last segment. */
  readonly close: readonly string[]
}

/** Creates the search for similar slugs, which stops finding after 200 different paths. */
function nearestSlugs(slugs: readonly string[]): (path: string) => Nearest {
  const forms = slugs.map((slug) => ({ slug, form: formOf(slug), ends: endsOf(formOf(slug)) }))
  const cache = new Map<string, Nearest>()

  return (path) => {
    const cached = cache.get(path)
    if (cached) return cached
    if (cache.size === 200 || path.length > longest) return nothing
    const form = formOf(path)
    const ends = endsOf(form)
    const found = forms.filter((each) => isOneEdit(each.form, form)).map(({ slug }) => slug)
    const related = forms
      .filter((each) => ends.some((end) => each.ends.includes(end)))
      .map(({ slug }) => slug)
    const nearest = {
      sure: found.length === 1 ? found[0] : undefined,
      close: [...new Set([...found, ...related])].slice(0, 3),
    }
    cache.set(path, nearest)
    return nearest
  }
}

const nothing: Nearest = { sure: undefined, close: [] }
const longest = 512

const formOf = (path: string): string => `/${path.toLowerCase().split('/').filter(Boolean).join('/')}`

function endsOf(form: string): readonly string[] {
  const segments = form.split('/').filter(Boolean)
  return [...new Set([segments.at(0), segments.at(-1)])].filter((segment) => segment !== undefined)
}

/** True if two texts differ in at most one character: added, removed, replaced, or swapped. */
function isOneEdit(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB) return true
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]
}
