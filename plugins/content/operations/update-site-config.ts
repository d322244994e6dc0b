import * as v from 'valibot'
import { mapValues, picked } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { map, object, optional } from './shapes.ts'
import { configOf, type BatchState } from './state.ts'

const text = optional(v.string('wanted a text'))
const label = v.string('wanted a label')
const labels = map(label, 'an object from slug to label; an empty label takes the entry away')
const slugs = v.array(v.string('wanted a slug'), 'wanted a list of slugs')
const groups = map(slugs, 'an object from the label of a group to the slugs in it')

const fields = { name: text, logo: text, navLabels: optional(labels), navGroups: optional(groups) }
const patch = object(fields, 'an object with name, logo, navLabels or navGroups')

export const updateSiteConfig = defineOperation('update_site_config', { patch }, {
  summary: 'Changes the header of the site. It always counts as a change, also where nothing is new.',
  needs: () => ({ config: true }),
  apply(state, op) {
    const { name, logo, navLabels, navGroups } = op.patch
    const before = configOf(state)
    state.config = {
      ...before,
      ...(name !== undefined && { name }),
      ...(logo !== undefined && { logo }),
      ...(navLabels && { navLabels: labelled(state, before.navLabels, navLabels) }),
      ...(navGroups && { navGroups: mapValues(navGroups, (slugs) => [...slugs]) }),
    }
    return { op }
  },
})

/** Returns the labels after a patch. Changes labels of this batch in place: a site may have thousands. */
function labelled(state: BatchState, labels: Labels = {}, patch: Labels): Labels {
  const own = state.ownLabels === labels ? state.ownLabels : picked(labels, (label) => label !== '')
  for (const [slug, label] of Object.entries(patch)) {
    if (label === '') delete own[slug]
    else own[slug] = label
  }
  return (state.ownLabels = own)
}

type Labels = Readonly<Record<string, string>>
