import { withoutTrailingSlash } from '../../../../kernel/index.ts'
import type { Props } from '../../../content/page.ts'
import { attribute, children, elementsBelow, visibleText, type Element } from './dom.ts'

const sectioning: ReadonlySet<string> = new Set(['section', 'article', 'header', 'div', 'main', 'aside'])
const mostSections = 40

/** Splits the content of a page into sections in reading order, without menus and footers. */
export function sectionsOf(body: Element, base: URL) {
  const main = elementsBelow(body).find(({ tagName }) => tagName === 'main') ?? body
  const isShown = (part: Element): boolean =>
    visibleText(part, 10) !== '' || elementsBelow(part).some(({ tagName }) => tagName === 'img')
  return childSections(main, 0)
    .filter(isShown)
    .slice(0, mostSections)
    .map((part) => toSection(part, base))
}

/** Returns the sections of an element; replaces a mere wrapper by its children. */
function childSections(element: Element, depth: number): readonly Element[] {
  const parts = children(element).filter(
    ({ tagName }) => tagName !== 'nav' && tagName !== 'footer' && tagName !== 'script' && tagName !== 'style',
  )
  const blocks = parts.filter(({ tagName }) => sectioning.has(tagName))
  const isWrapper =
    blocks.length === parts.length && parts.length > 0 && signatureOf(parts) === undefined && depth < 6
  if (element.tagName !== 'section' && isWrapper)
    return parts.flatMap((part) => childSections(part, depth + 1))
  if ((element.tagName === 'main' || element.tagName === 'body') && blocks.length > 0)
    return parts.flatMap((part) => (sectioning.has(part.tagName) ? childSections(part, depth + 1) : [part]))
  return [element]
}

/** Returns the common signature of two or more similar elements. */
function signatureOf(parts: readonly Element[]): string | undefined {
  const names = parts.map(
    (part) =>
      `${part.tagName}.${attribute(part, 'class') ?? ''}>${children(part)
        .map(({ tagName }) => tagName)
        .join('+')}`,
  )
  const [first] = names
  return names.length >= 2 &&
    first !== undefined &&
    !first.endsWith('>') &&
    names.every((name) => name === first)
    ? first.slice(0, 200)
    : undefined
}

/** Converts a section of a page, and suggests a block whose props come only from its text and images. */
function toSection(part: Element, base: URL) {
  const all = [part, ...elementsBelow(part)]
  const named = (...tags: readonly string[]): readonly Element[] =>
    all.filter(({ tagName }) => tags.includes(tagName))
  const words = (elements: readonly Element[]): readonly string[] =>
    elements.map((each) => visibleText(each)).filter(Boolean)
  const holder = all.find((each) => signatureOf(children(each)) !== undefined)
  const rows = holder
    ? children(holder)
        .map((each) => toRow(each, base))
        .filter(({ title, image }) => title !== '' || image)
    : []
  const inRows = new Set(holder ? elementsBelow(holder) : [])
  const own = (elements: readonly Element[]): readonly Element[] =>
    elements.filter((each) => !inRows.has(each))
  const content = {
    headings: words(named('h1', 'h2', 'h3')),
    paragraphs: words(named('p', 'li', 'blockquote')),
    images: imagesIn(all, base),
    links: linksIn(all, base),
  }
  const heading = words(own(named('h1', 'h2', 'h3')))[0] ?? content.headings[0] ?? ''
  const title = heading || (rows[0]?.title ?? '')
  const text = words(own(named('p')))
  const items = named('details').map((each) => {
    const q = visibleText(children(each).find(({ tagName }) => tagName === 'summary') ?? each)
    return { q, a: visibleText(each).slice(q.length).trim() }
  })
  const isRepeated = rows.length > 1
  const structure = {
    pattern: isRepeated ? 'repeated' : 'single',
    repeatCount: rows.length,
    repeatSignature: isRepeated && holder ? (signatureOf(children(holder)) ?? null) : null,
    interactionModel: items.length > 0 ? 'disclosure' : named('form').length > 0 ? 'form' : 'static',
  }
  const [image] = content.images
  const [link] = content.links
  return { content, structure, ...suggest() }

  function suggest() {
    const block = (suggestedBlockType: string, confidence: number, suggestedProps: Props) => ({
      suggestedBlockType,
      suggestedProps,
      confidence,
    })
    if (items.length > 1) return block('FAQAccordion', 0.9, { title: heading || items[0]?.q, items })
    if (isRepeated && rows.every((row) => row.image && row.text === '')) {
      const images = rows.map(({ title, image }) => ({
        imageUrl: image?.src,
        alt: image?.alt,
        caption: title,
      }))
      return block('Gallery', 0.8, { title: heading, images })
    }
    const texts = (row: (typeof rows)[number]) => ({ title: row.title, description: row.text || row.title })
    if (isRepeated && rows.every((row) => row.link || row.image)) {
      const cards = rows.map((row) => ({
        ...texts(row),
        ctaText: row.link?.text || row.title,
        ctaHref: row.link?.href ?? '/',
        ...(row.image && { imageUrl: row.image.src, imageAlt: row.image.alt || row.title }),
      }))
      return block('CardGrid', 0.8, { title, cards })
    }
    const features = rows.map((row) => ({ icon: '', ...texts(row) }))
    if (isRepeated) return block('FeatureGrid', 0.7, { title, features })
    if (named('h1').length > 0 && image && link) {
      const cta = { ctaText: link.text, ctaHref: link.href }
      const details = { imageUrl: image.src, imageAlt: image.alt || heading, ...cta }
      return block('Hero', 0.8, { heading, subheading: text[0] ?? heading, ...details })
    }
    return block('RichText', 0.6, { title: heading, body: markdownOf(all, heading) })
  }
}

/** Converts one of several similar rows. */
function toRow(element: Element, base: URL) {
  const all = [element, ...elementsBelow(element)]
  const title = all.find(({ tagName }) => /^h[1-6]$|^(?:strong|figcaption)$/.test(tagName))
  const paragraph = all.find(({ tagName }) => tagName === 'p')
  const [image] = imagesIn(all, base)
  const [link] = linksIn(all, base)
  return {
    title: title ? visibleText(title, 200) : '',
    text: paragraph ? visibleText(paragraph) : '',
    image,
    link,
  }
}

function imagesIn(elements: readonly Element[], base: URL) {
  return elements.flatMap((each) => {
    const src = each.tagName === 'img' ? URL.parse(attribute(each, 'src') ?? '', base) : null
    return src && /^https?:$/.test(src.protocol) && attribute(each, 'src')
      ? [{ src: src.href, alt: (attribute(each, 'alt') ?? '').slice(0, 300) }]
      : []
  })
}

/** Returns the links of a page; links within its website become paths. */
function linksIn(elements: readonly Element[], base: URL) {
  return elements.flatMap((each) => {
    const url = each.tagName === 'a' ? URL.parse(attribute(each, 'href') ?? '', base) : null
    const text = url ? visibleText(each, 200) : ''
    if (!url || text === '' || !/^(?:https?|mailto|tel):$/.test(url.protocol)) return []
    return [{ text, href: url.origin === base.origin ? slugOf(url) + url.hash : url.href }]
  })
}

/** Converts the address of a page within its website to a slug. */
export const slugOf = (url: URL): string =>
  withoutTrailingSlash(url.pathname.replace(/\/index\.html?$|\.html?$/, '')) || '/'

const escaped = (text: string): string => text.replaceAll(/([\\`*_[\]<>])/g, '\\$1')

function markdownOf(elements: readonly Element[], title: string): string {
  const lines = elements.flatMap((element) => {
    const { tagName } = element
    const text = /^(?:h[1-6]|p|li|blockquote)$/.test(tagName) ? visibleText(element) : ''
    if (text === '' || text === title) return []
    if (tagName === 'li') return [`- ${escaped(text)}`]
    return [tagName.startsWith('h') ? `\n## ${escaped(text)}\n` : `\n${escaped(text)}\n`]
  })
  return (
    lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim() ||
    escaped(title) ||
    'Text'
  )
}
