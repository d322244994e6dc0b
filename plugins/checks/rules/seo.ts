import type { Page } from '../../content/page.ts'
import type { Operation } from '../../content/operations/index.ts'
import { hasMarkup } from '../../content/fields.ts'
import { cutAtWord, defineRule, filled, lengthOf, plainText, type Rule } from '../view/rule.ts'
import { takesText, writes, type Severity } from '../view/finding.ts'
import { repeated, metaText, type PageFacts } from '../view/site-view.ts'
import { showsImage } from './media.ts'

type Meta = 'title' | 'description' | 'ogImage'

const at = <P extends object>(place: P, name: Meta) => ({
  ...place,
  path: `meta.${name}`,
  stablePath: `meta.${name}`,
})

const writeMeta =
  ({ slug }: Page, name: Meta) =>
  (text: unknown): Operation => {
    const patch = { title: undefined, description: undefined, ogImage: undefined, [name]: text }
    return { op: 'update_page_meta', pageSlug: slug, patch }
  }

/** Returns the title for search results. */
const effectiveTitle = (page: Page): string => metaText(page, 'title') || page.title.trim()

/** Declares a rule for texts that are too short or too long for search engines. */
const lengthRule = (
  name: 'title' | 'description',
  {
    title,
    severity,
    min,
    max,
  }: { readonly title: string; readonly severity: Severity; readonly min: number; readonly max: number },
): Rule =>
  defineRule({
    id: `seo.${name}-length`,
    title,
    severity,
    pagesOnly: name === 'title',
    params: { min, max },
    *page({ page, at: place }, params) {
      const text = name === 'title' ? effectiveTitle(page) : metaText(page, name)
      const length = lengthOf(text)
      if (length > 0 && (length < params.min || length > params.max))
        yield {
          at: at(place, name),
          message: `The ${name} has ${length} characters; ${params.min} to ${params.max} are recommended.`,
          value: text,
        }
    },
  })

const duplicateRule = (
  name: 'title' | 'description',
  { title, message, of }: { readonly title: string; readonly message: string; of(page: PageFacts): string },
): Rule =>
  defineRule({
    id: `seo.${name}-duplicate`,
    title,
    severity: 'warning',
    pagesOnly: name === 'title',
    *site({ pages }) {
      for (const { page, other } of repeated(pages, of))
        yield {
          at: at(page.at, name),
          message: `The page ${other.slug} has the same ${message}.`,
          value: of(page),
          of: other.at.pageId ?? '',
        }
    },
  })

export const seoRules: readonly Rule[] = [
  defineRule({
    id: 'seo.title-missing',
    title: 'Page without a title for search engines',
    severity: 'info',
    pagesOnly: true,
    fix: 'auto',
    params: { min: 10, max: 60 },
    *page({ page, at: place }, { min, max }) {
      if (metaText(page, 'title') !== '') return
      const title = page.title.trim()
      const fits = lengthOf(title) >= min && lengthOf(title) <= max
      const fix = fits ? writes('auto', 'Use the page title', writeMeta(page, 'title'), title) : undefined
      yield {
        at: at(place, 'title'),
        message: 'The page has no title for search engines, which show the page title instead.',
        value: '',
        fix,
      }
    },
  }),
  lengthRule('title', {
    title: 'Title too short or too long for search engines',
    severity: 'warning',
    min: 10,
    max: 60,
  }),
  defineRule({
    id: 'seo.description-missing',
    title: 'Page without a description',
    severity: 'warning',
    pagesOnly: true,
    fix: 'suggest',
    params: { max: 155 },
    *page({ page, at: place, blocks }, { max }) {
      if (metaText(page, 'description') !== '') return
      const prose = blocks
        .filter(({ isContent }) => isContent)
        .flatMap(({ fields }) => fields)
        .filter(({ meta, value }) => filled(value) && (hasMarkup(meta) || meta?.multiline === true))
        .map(({ value }) => plainText(String(value).slice(0, 5_000)).replace(/\s+/g, ' '))
        .find((text) => text !== '')
      const write = writeMeta(page, 'description')
      const fix =
        prose === undefined
          ? takesText('Write a description', write)
          : writes('suggest', 'Use the first text of the page', write, cutAtWord(prose, max))
      yield {
        at: at(place, 'description'),
        message: 'The page has no description for search engines and link previews.',
        value: '',
        fix,
      }
    },
  }),
  lengthRule('description', {
    title: 'Description too short or too long',
    severity: 'info',
    min: 50,
    max: 160,
  }),
  duplicateRule('title', {
    title: 'Duplicate title for search engines',
    message: 'title for search engines',
    of: ({ metaTitle }) => metaTitle,
  }),
  duplicateRule('description', {
    title: 'Duplicate description',
    message: 'description',
    of: ({ description }) => description,
  }),
  defineRule({
    id: 'seo.og-image-missing',
    title: 'Page without an image for link previews',
    severity: 'info',
    pagesOnly: true,
    fix: 'suggest',
    *page({ page, at: place, fields }) {
      if (metaText(page, 'ogImage') !== '') return
      const image = fields.find((field) => showsImage(field) && !/^data:/i.test(String(field.value)))?.value
      const write = writeMeta(page, 'ogImage')
      const fix =
        image === undefined
          ? takesText('Choose an image', write)
          : writes('suggest', 'Use the first image of the page', write, image)
      yield { at: at(place, 'ogImage'), message: 'The page has no image for link previews.', value: '', fix }
    },
  }),
]
