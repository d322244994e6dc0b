import type { Operation } from '../../content/operations/index.ts'
import { defineRule, type Rule, type Severity } from '../rule.ts'
import { filled } from '../text.ts'

type Patch = Extract<Operation, { op: 'update_site_config' }>['patch']

const nothing: Patch = { name: undefined, logo: undefined, navLabels: undefined, navGroups: undefined }
const update = (patch: Partial<Patch>): Operation => ({ op: 'update_site_config', patch: { ...nothing, ...patch } })
const at = (path: string) => ({ path, stablePath: path })

const missing = (name: 'name' | 'logo', { title, severity, label }: { readonly title: string; readonly severity: Severity; readonly label: string }): Rule =>
  defineRule({
    id: `site.${name}-missing`,
    title,
    severity,
    fix: 'suggest',
    *site({ config, pages }) {
      if (pages.length > 0 && !filled(config[name]))
        yield { at: at(name), message: `The site has no ${name}.`, value: '', fix: { kind: 'suggest', label, write: (text) => update({ [name]: text }) } }
    },
  })

export const siteRules: readonly Rule[] = [
  missing('name', { title: 'Site without a name', severity: 'warning', label: 'Name the site' }),
  missing('logo', { title: 'Site without a logo', severity: 'info', label: 'Choose a logo' }),
  defineRule({
    id: 'site.nav-target-missing',
    title: 'Menu entry of a page that is not there',
    severity: 'warning',
    fix: 'auto',
    *site({ config, bySlug }) {
      for (const slug of Object.keys(config.navLabels ?? {})) {
        if (bySlug.has(slug)) continue
        const fix = { kind: 'auto', label: 'Remove the label', ops: [update({ navLabels: { [slug]: '' } })] } as const
        yield { at: at(`navLabels[${JSON.stringify(slug)}]`), message: `The menu has a label for ${slug.slice(0, 80)}, which is not there.`, value: slug, fix }
      }
      const groups = config.navGroups ?? {}
      const kept = Object.fromEntries(Object.entries(groups).map(([label, slugs]) => [label, slugs.filter((slug) => bySlug.has(slug))]))
      const fix = { kind: 'auto', label: 'Remove the entry', ops: [update({ navGroups: kept })] } as const
      for (const [label, slugs] of Object.entries(groups)) {
        for (const slug of slugs.filter((each) => !bySlug.has(each))) {
          yield { at: at(`navGroups[${JSON.stringify(label)}]`), message: `The menu lists ${slug.slice(0, 80)}, which is not there.`, value: slug, of: slug, fix }
        }
      }
    },
  }),
]
