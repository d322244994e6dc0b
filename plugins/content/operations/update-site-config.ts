import * as v from 'valibot'
import { mapValues, picked } from '../plain-object.ts'
import { redirectsOf } from '../redirects.ts'
import { defineOperation } from './definition.ts'
import { map, object, optional, text } from './shapes.ts'
import { setRedirects } from './redirects.ts'
import { configOf, spend } from './state.ts'

const label = v.string('wanted a label')
const labels = map(label, 'an object from slug to label; an empty label takes the entry away')
const slugs = v.array(v.string('wanted a slug'), 'wanted a list of slugs')
const redirects = map(
  v.string('wanted an address'),
  'an object from former address to the address that it leads to; an empty one takes the redirect away',
)
const groups = map(slugs, 'an object from the label of a group to the slugs in it')

/** The settings that the operation can change. */
export const configFields = {
  name: optional(text),
  logo: optional(text),
  navLabels: optional(labels),
  navGroups: optional(groups),
  redirects: optional(redirects),
}
const patch = object(configFields, 'an object with name, logo, navLabels, navGroups or redirects')

export const updateSiteConfig = defineOperation(
  'update_site_config',
  { patch },
  {
    summary: 'Changes the header of the site, or its redirects. It is accepted also where nothing is new.',
    needs: ({ patch }) => ({ config: true, ...(patch.redirects && { order: true }) }),
    apply(state, op) {
      const { name, logo, navLabels, navGroups, redirects } = op.patch
      const before = configOf(state)
      if (navLabels) spend(state, Object.keys(before.navLabels ?? {}).length)
      state.config = {
        ...before,
        ...(name !== undefined && { name }),
        ...(logo !== undefined && { logo }),
        ...(navLabels && {
          navLabels: picked(
            { ...before.navLabels, ...navLabels },
            (label, slug) => label !== '' || !Object.hasOwn(navLabels, slug),
          ),
        }),
        ...(navGroups && { navGroups: mapValues(navGroups, (slugs) => [...slugs]) }),
      }
      if (redirects) {
        spend(state, Object.keys(redirects).length + Object.keys(redirectsOf(before) ?? {}).length)
        setRedirects(state, redirects, 'patch.redirects')
      }
      return { op }
    },
  },
)
