import type { Operation } from '../../content/operations/index.ts'
import { canonicalSlug, comparableSlug, decoded, home } from '../../content/slugs.ts'
import type { Fix, Severity } from '../view/finding.ts'
import { defineRule, filled, type Rule } from '../view/rule.ts'
import { repeated } from '../view/site-view.ts'

/** An encoded address is as valid as the decoded one. */
const isInvalid = (slug: string): boolean =>
  !slug.startsWith('/') ||
  /[\sA-Z?#]|\/\/|\/\.\.?(?:\/|$)/.test(decoded(slug) ?? slug) ||
  (slug !== home && slug.endsWith('/'))

export const pageRules: readonly Rule[] = [
  defineRule({
    id: 'pages.slug-duplicate',
    title: 'Duplicate page address',
    severity: 'error',
    pagesOnly: true,
    *site({ pages }) {
      const formOf = (slug: string): string =>
        comparableSlug(slug).toLowerCase().split('/').filter(Boolean).join('/')
      for (const { page, other } of repeated(pages, ({ slug }) => formOf(slug)))
        yield {
          at: page.at,
          message: `The address differs from ${other.slug} only in case, slashes or encoding.`,
          value: page.slug,
          of: other.at.pageId ?? '',
        }
    },
  }),
  defineRule({
    id: 'pages.slug-invalid',
    title: 'Invalid page address',
    severity: 'error',
    pagesOnly: true,
    fix: 'auto',
    *site({ pages, byPath }) {
      for (const page of pages.filter(({ slug }) => isInvalid(slug))) {
        const { at, slug } = page
        const normal = canonicalSlug(
          slug
            .replace(/[?#].*$/s, '')
            .trim()
            .replace(/\s+/g, '-')
            .toLowerCase(),
        )
        const isFree = normal !== undefined && normal !== home && (byPath.get(normal) ?? page) === page
        const fix: Fix | undefined = isFree
          ? {
              kind: 'auto',
              label: `Rename it to ${normal}`,
              ops: [{ op: 'rename_page', pageSlug: slug, newPageSlug: normal, newTitle: undefined }],
            }
          : undefined
        yield {
          at,
          message:
            'The address of the page is not in canonical form: lower case, single slashes, no trailing slash.',
          value: slug,
          fix,
        }
      }
    },
  }),
  defineRule({
    id: 'pages.home-missing',
    title: 'Missing home page',
    severity: 'error',
    pagesOnly: true,
    *site({ pages, bySlug }) {
      if (pages.length > 0 && !bySlug.has(home)) yield { at: {}, message: 'The site has no page at /.' }
    },
  }),
  defineRule({
    id: 'pages.unreadable',
    title: 'Page that cannot be read',
    severity: 'warning',
    *site({ leftOut, bySlug }) {
      for (const { slug, reason, repeated } of leftOut) {
        const message = `The website has ${slug}, which is not in the draft: ${reason}. Correct it on the website.`
        if (repeated || !bySlug.has(slug)) yield { at: {}, message, value: slug }
      }
    },
  }),
  defineRule({
    id: 'pages.block-unreadable',
    title: 'Block that cannot be read',
    severity: 'warning',
    *site({ locked, bySlug }) {
      for (const { slug, blockId, reason } of locked) {
        const message = `The website has a block that cannot be edited: ${reason}. Correct it there, or remove it.`
        yield { at: { ...bySlug.get(slug)?.at, blockId }, message, value: blockId }
      }
    },
  }),
  defineRule({
    id: 'pages.title-missing',
    title: 'Page without a title',
    severity: 'error',
    pagesOnly: true,
    fix: 'suggest',
    *site({ pages }) {
      for (const { at, slug } of pages.filter(({ title }) => title === '')) {
        const write = (newTitle: string) =>
          ({ op: 'rename_page', pageSlug: slug, newPageSlug: undefined, newTitle }) as const
        yield {
          at: { ...at, path: 'title', stablePath: 'title' },
          message: 'The page has no title.',
          value: '',
          fix: { kind: 'suggest', label: 'Give it a title', write },
        }
      }
    },
  }),
  defineRule({
    id: 'pages.title-duplicate',
    title: 'Duplicate page title',
    severity: 'warning',
    pagesOnly: true,
    *site({ pages }) {
      for (const { page, other } of repeated(pages, ({ title }) => title))
        yield {
          at: { ...page.at, path: 'title', stablePath: 'title' },
          message: `The page ${other.slug} has the same title.`,
          value: page.title,
        }
    },
  }),
  defineRule({
    id: 'pages.orphan',
    title: 'Unlinked page',
    severity: 'info',
    pagesOnly: true,
    *site(view) {
      const reached = new Set<string>()
      for (const { slug, links } of view.pages) {
        for (const link of links) {
          const to = view.placeOf(link)
          if (to && to.path !== comparableSlug(slug)) reached.add(to.path)
        }
        yield undefined
      }
      // The menu of a page without a header block lists every page.
      const withMenu = view.pages.filter(({ hasHeader }) => !hasHeader).length
      for (const { at, slug, hasHeader } of view.pages)
        if (slug !== home && !reached.has(comparableSlug(slug)) && withMenu <= Number(!hasHeader))
          yield { at, message: 'No link and no menu entry leads to the page.', value: slug }
    },
  }),
]

type Patch = Extract<Operation, { op: 'update_site_config' }>['patch']

const nothing: Patch = {
  name: undefined,
  logo: undefined,
  navLabels: undefined,
  navGroups: undefined,
  redirects: undefined,
}
const update = (patch: Partial<Patch>): Operation => ({
  op: 'update_site_config',
  patch: { ...nothing, ...patch },
})
const at = (path: string) => ({ path, stablePath: path })

const missing = (
  name: 'name' | 'logo',
  { title, severity, label }: { readonly title: string; readonly severity: Severity; readonly label: string },
): Rule =>
  defineRule({
    id: `site.${name}-missing`,
    title,
    severity,
    pagesOnly: true,
    fix: 'suggest',
    *site({ config, pages }) {
      if (pages.length > 0 && !filled(config[name]))
        yield {
          at: at(name),
          message: `The site has no ${name}.`,
          value: '',
          fix: { kind: 'suggest', label, write: (text) => update({ [name]: text }) },
        }
    },
  })

export const siteRules: readonly Rule[] = [
  missing('name', { title: 'Site without a name', severity: 'warning', label: 'Name the site' }),
  missing('logo', { title: 'Site without a logo', severity: 'info', label: 'Choose a logo' }),
  defineRule({
    id: 'site.nav-target-missing',
    title: 'Menu entry for a missing page',
    severity: 'warning',
    pagesOnly: true,
    fix: 'auto',
    *site({ config, bySlug }) {
      for (const slug of Object.keys(config.navLabels ?? {})) {
        if (bySlug.has(slug)) continue
        const fix = {
          kind: 'auto',
          label: 'Remove the label',
          ops: [update({ navLabels: { [slug]: '' } })],
        } as const
        yield {
          at: at(`navLabels[${JSON.stringify(slug)}]`),
          message: `The menu has a label for the missing page ${slug.slice(0, 80)}.`,
          value: slug,
          fix,
        }
      }
      const groups = config.navGroups ?? {}
      const remaining = Object.fromEntries(
        Object.entries(groups).map(([label, slugs]) => [label, slugs.filter((slug) => bySlug.has(slug))]),
      )
      const fix = {
        kind: 'auto',
        label: 'Remove the entry',
        ops: [update({ navGroups: remaining })],
      } as const
      for (const [label, slugs] of Object.entries(groups)) {
        for (const slug of slugs.filter((each) => !bySlug.has(each))) {
          yield {
            at: at(`navGroups[${JSON.stringify(label)}]`),
            message: `The menu lists the missing page ${slug.slice(0, 80)}.`,
            value: slug,
            of: slug,
            fix,
          }
        }
      }
    },
  }),
]
