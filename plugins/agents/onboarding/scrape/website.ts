import { LRUCache } from '../../../../kernel/index.ts'
import { parseDocument } from '../../../content/html.ts'
import { titleFromSlug } from '../../../content/slugs.ts'
import type { Outbound } from '../../../outbound/port.ts'
import { Problem } from '../problem.ts'
import { attribute, type Element, elementsBelow, isElement, visibleText } from './dom.ts'
import { sectionsOf, slugOf } from './sections.ts'

const failedPage = (status: number): Problem =>
  new Problem(`The page could not be read: its server answered ${status}. Check the address.`)
export const notAnAddress = (): Problem =>
  new Problem('This is not an http or https address. Use one that starts with https://.')

const mebibyte = 1024 * 1024
const pageTypes = ['text/html', 'application/xhtml+xml']
const pageLimits = { maxBytes: 5 * mebibyte, timeoutMs: 15_000, types: pageTypes }
const mostSheets = 20
const mostListed = 500
const mostCrawled = 50
const deepest = 2

/** Reads other websites through `outbound`. Caches the last ten pages. */
export class Scraper {
  readonly #outbound: Pick<Outbound, 'fetch'>
  readonly #cache = new LRUCache<string, ReturnType<Scraper['read']>>({ max: 10 })

  constructor(outbound: Pick<Outbound, 'fetch'>) {
    this.#outbound = outbound
  }

  /** Reads a page with its sections and design. */
  page(address: string, signal: AbortSignal): ReturnType<Scraper['read']> {
    const url = toUrl(address)
    const page = this.#cache.get(url.href) ?? this.read(url, signal)
    this.#cache.set(url.href, page)
    page.catch(() => this.#cache.delete(url.href))
    return page
  }

  /** Lists the pages of a website: from its sitemap, from sitemaps in robots.txt, or from its links. */
  async structure(address: string, signal: AbortSignal) {
    const start = toUrl(address)
    const own = await this.#sitemap(new URL('/sitemap.xml', start), signal)
    if (own.length > 0) return toStructure(start, 'sitemap', own)
    const robots = await this.#text(new URL('/robots.txt', start), 512 * 1024, 5_000, signal)
    const named = robots
      .split('\n')
      .flatMap((line) => URL.parse(/^sitemap:\s*(\S+)/i.exec(line.slice(0, 2_000))?.[1] ?? '') ?? [])
      .filter((url) => url.origin === start.origin)
    const listed = (await Promise.all(named.slice(0, 5).map((url) => this.#sitemap(url, signal)))).flat()
    if (listed.length > 0) return toStructure(start, 'robots', listed.slice(0, mostListed))
    const crawled = await this.#crawl(start, signal)
    return toStructure(start, crawled.length > 1 ? 'links' : 'single', crawled)
  }

  /** Reads a page anew. */
  async read(url: URL, signal: AbortSignal) {
    const page = await this.#load(url, signal)
    const { all, body } = page
    const metas = all.filter(({ tagName }) => tagName === 'meta')
    const meta = (name: string): string => {
      const found = metas.find((each) => (attribute(each, 'name') ?? attribute(each, 'property')) === name)
      return (found && attribute(found, 'content')?.slice(0, 500)) ?? ''
    }
    const nav = all.find(({ tagName }) => tagName === 'nav')
    const navigation = linksOf(nav ? elementsBelow(nav) : [], page.url).map(({ element, to }) => ({
      text: visibleText(element, 100),
      href: to.origin === page.url.origin ? slugOf(to) : to.href,
    }))
    return {
      url: page.url.href,
      slug: slugOf(page.url),
      title: page.title || titleFromSlug(slugOf(page.url)),
      description: meta('description') || meta('og:description'),
      language: attribute(page.html, 'lang') ?? '',
      navigation: navigation.slice(0, 50),
      outline: all
        .filter(({ tagName }) => /^h[1-3]$/.test(tagName))
        .map((each) => `${each.tagName}: ${visibleText(each, 200)}`)
        .slice(0, 100),
      sections: sectionsOf(body, page.url),
      ...designOf(await this.#stylesheets(all, page.url, signal)),
    }
  }

  async #load(url: URL, signal: AbortSignal) {
    const answer = await this.#outbound.fetch(url, { ...pageLimits, signal })
    if (answer.status !== 200) throw failedPage(answer.status)
    const document = parseDocument(answer.text())
    const html = document.childNodes.find(isElement)
    const body = html?.childNodes.filter(isElement).find(({ tagName }) => tagName === 'body')
    if (!html || !body) throw failedPage(answer.status)
    const all = elementsBelow(html)
    const title = all.find(({ tagName }) => tagName === 'title')
    return { html, body, all, url: new URL(answer.url), title: title ? visibleText(title, 300) : '' }
  }

  /** Returns the text at an address; '' if there is none. */
  async #text(
    url: URL,
    maxBytes: number,
    timeoutMs: number,
    signal: AbortSignal,
    types?: readonly string[],
  ): Promise<string> {
    const limits = { maxBytes, timeoutMs, signal, ...(types && { types }) }
    const answer = await this.#outbound.fetch(url, limits).catch(() => {
      signal.throwIfAborted()
      return undefined
    })
    return answer?.status === 200 ? answer.text() : ''
  }

  async #stylesheets(all: readonly Element[], base: URL, signal: AbortSignal): Promise<string> {
    const urls = all
      .filter((each) => each.tagName === 'link' && attribute(each, 'rel')?.toLowerCase() === 'stylesheet')
      .slice(0, mostSheets)
      .flatMap((each) => URL.parse(attribute(each, 'href') ?? '', base) ?? [])
    const sheets = urls.map((url) => this.#text(url, mebibyte, 5_000, signal, ['text/css']))
    return (await Promise.all(sheets)).join('\n')
  }

  /** Returns the pages of this origin in a sitemap; follows a sitemap index one level deep. */
  async #sitemap(url: URL, signal: AbortSignal, level = 0): Promise<readonly Listed[]> {
    const xml = await this.#text(url, 5 * mebibyte, 10_000, signal)
    const pages = [...xml.matchAll(/<loc>\s{0,99}([^<\s]{1,2000})\s{0,99}<\/loc>/g)]
      .flatMap(([, address = '']) => URL.parse(address.replaceAll('&amp;', '&')) ?? [])
      .filter((each) => each.origin === url.origin)
    if (!/<sitemapindex[\s>]/.test(xml)) return pages.slice(0, mostListed).map((each) => ({ url: each }))
    if (level > 0) return []
    const inner = await Promise.all(pages.slice(0, 20).map((each) => this.#sitemap(each, signal, 1)))
    return inner.flat().slice(0, mostListed)
  }

  async #crawl(start: URL, signal: AbortSignal): Promise<readonly Listed[]> {
    const seen = new Set([slugOf(start)])
    const found: Listed[] = []
    let level = [start]
    for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
      const next: URL[] = []
      for (const url of level) {
        if (found.length >= mostCrawled) break
        const page = await this.#load(url, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (depth === 0) throw error
          return undefined
        })
        if (!page || page.url.origin !== start.origin) continue
        found.push({ url: page.url, title: page.title })
        for (const { to } of linksOf(page.all, page.url)) {
          if (to.origin !== start.origin || files.test(to.pathname) || seen.has(slugOf(to))) continue
          seen.add(slugOf(to))
          next.push(to)
        }
      }
      level = next
    }
    return found
  }
}

/** A page of a website. */
interface Listed {
  readonly url: URL
  readonly title?: string
}

const files = /\.(?:pdf|zip|jpe?g|png|gif|webp|svg|mp4|xml|css|js)$/i

const linksOf = (elements: readonly Element[], base: URL) =>
  elements.flatMap((element) => {
    const to = element.tagName === 'a' ? URL.parse(attribute(element, 'href') ?? '', base) : null
    return to ? [{ element, to }] : []
  })

function toStructure({ origin }: URL, source: string, found: readonly Listed[]) {
  const unique = new Map(found.map((page) => [slugOf(page.url), page]))
  const pages = [...unique].map(([slug, { url, title }]) => ({
    url: url.href,
    slug,
    title: title || titleFromSlug(slug),
  }))
  return { origin, source, totalPages: pages.length, pages }
}

function toUrl(address: string): URL {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw notAnAddress()
  url.hash = ''
  return url
}

const mostCss = 1024 * 1024

/** Finds the most frequent colours, fonts and radii of a stylesheet, and derives theme variables. */
export function designOf(stylesheet: string) {
  const css = stylesheet.slice(0, mostCss)
  const colors = frequent(
    css.matchAll(/#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\([^()]{1,60}\)/gi),
    20,
    (text) => text.toLowerCase().replaceAll(' ', ''),
  )
  const fonts = frequent(css.matchAll(/font-family\s{0,9}:\s{0,9}([^;{}]{1,200})/gi), 6)
  const radii = frequent(css.matchAll(/border-radius\s{0,9}:\s{0,9}([^;{}]{1,40})/gi), 5)
  const [font] = fonts
  const [radius] = radii
  const brand = colors.find(isColourful)
  return {
    tokens: { colors, fonts, radii },
    themeVariables: {
      ...(brand !== undefined && { '--brand': brand }),
      ...(font !== undefined && isPlain(font) && { '--font-body': font, '--font-heading': font }),
      ...(radius !== undefined && isPlain(radius) && { '--radius-btn': radius, '--radius-card': radius }),
    },
  }
}

const isPlain = (value: string): boolean => !/[;{}<>@\\]|url\(/i.test(value) && value.length <= 200

function frequent(
  matches: Iterable<RegExpMatchArray>,
  most: number,
  plain = (text: string): string => text.trim(),
): readonly string[] {
  const counts = new Map<string, number>()
  for (const [all, group] of matches) {
    const value = plain(group ?? all)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([value]) => value)
}

/** True for six-digit colours that are not black, white or grey. */
function isColourful(color: string): boolean {
  const [, red = '', green = '', blue = ''] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(color) ?? []
  const values = [red, green, blue].map((part) => Number.parseInt(part, 16))
  return Math.max(...values) - Math.min(...values) > 40
}
