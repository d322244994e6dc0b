import * as v from 'valibot'
import type { SiteConfig } from '../model.ts'
import { sameJson } from '../same-json.ts'
import { defineOperation } from './definition.ts'
import { map, object, operation, optional } from './shapes.ts'
import { configOf } from './state.ts'

const text = optional(v.string('wanted a text'))
const label = v.string('wanted a label')
const labels = map(label, 'an object from slug to label; an empty label takes the entry away')
const slugs = v.array(v.string('wanted a slug'), 'wanted a list of slugs')
const groups = map(slugs, 'an object from the label of a group to the slugs in it')

export const updateSiteConfig = defineOperation({
  name: 'update_site_config',
  summary: 'Changes the header of the site. It always counts as a change, also where nothing is new.',
  structural: false,
  schema: operation('update_site_config', {
    patch: object({
      name: text,
      logo: text,
      navLabels: optional(labels),
      navGroups: optional(groups),
    }, 'an object with name, logo, navLabels or navGroups'),
  }),
  needs: () => ({ config: true }),
  apply(state, op) {
    const { name, logo, navLabels, navGroups } = op.patch
    const before = configOf(state)
    const config: SiteConfig = {
      ...before,
      ...(name !== undefined && { name }),
      ...(logo !== undefined && { logo }),
      ...(navLabels && { navLabels: withoutEmpty({ ...before.navLabels, ...navLabels }) }),
      ...(navGroups && { navGroups: copied(navGroups) }),
    }
    if (!sameJson(config, before)) state.config = config
    return { op }
  },
})

const copied = (groups: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(groups).map(([label, slugs]) => [label, [...slugs]]))

const withoutEmpty = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== ''))
