import * as v from 'valibot'
import { mapValues, picked } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { map, object, optional, text } from './shapes.ts'
import { configOf, spend } from './state.ts'

const label = v.string('wanted a label')
const labels = map(label, 'an object from slug to label; an empty label takes the entry away')
const slugs = v.array(v.string('wanted a slug'), 'wanted a list of slugs')
const groups = map(slugs, 'an object from the label of a group to the slugs in it')

/** The settings that the operation can change. */
export const configFields = {
  name: optional(text),
  logo: optional(text),
  navLabels: optional(labels),
  navGroups: optional(groups),
}
const patch = object(configFields, 'an object with name, logo, navLabels or navGroups')

export const updateSiteConfig = defineOperation(
  'update_site_config',
  { patch },
  {
    summary: 'Changes the header of the site. It is accepted also where nothing is new.',
    needs: () => ({ config: true }),
    apply(state, op) {
      const { name, logo, navLabels, navGroups } = op.patch
      const before = configOf(state)
      if (navLabels) spend(state, Object.keys(before.navLabels ?? {}).length)
      state.config = {
        ...before,
        ...(name !== undefined && { name }),
        ...(logo !== undefined && { logo }),
        ...(navLabels && {
          navLabels: picked({ ...before.navLabels, ...navLabels }, (label) => label !== ''),
        }),
        ...(navGroups && { navGroups: mapValues(navGroups, (slugs) => [...slugs]) }),
      }
      return { op }
    },
  },
)
