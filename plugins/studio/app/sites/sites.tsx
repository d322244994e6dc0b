import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { openSite, site, sites, type Site } from '../stores/site.ts'
import { askSites, troubles } from './site-troubles.ts'
import { isPhone } from '../stores/widths.ts'

export const nameOfSite = ({ id, siteName }: Site): string => siteName || id

const hostOf = ({ previewUrl = '' }: Site): string => URL.parse(previewUrl)?.host ?? ''

/** The name of the site; with several sites, the menu of all of them. */
export function SiteMenu({ name }: { readonly name: string }) {
  const all = sites.value ?? []
  if (all.length < 2) return <b class="cut">{name}</b>
  const items = all.map((each) => ({
    id: each.id,
    text: nameOfSite(each),
    hint: troubles.value.get(each.id) ?? hostOf(each),
    isDisabled: each.id === site.value?.id,
    run: () => openSite(each.id),
  }))
  const text = isPhone.value ? undefined : name
  return <Menu label="Websites" icon="globe" text={text} items={items} onOpen={askSites} />
}

/** The websites, where none is chosen. */
export function SiteList() {
  useEffect(askSites, [])
  return (
    <>
      <h1>Choose a website</h1>
      <ul class="sites">
        {sites.value?.map((each) => (
          <li key={each.id}>
            <Button onClick={() => openSite(each.id)}>{nameOfSite(each)}</Button>
            <small class={troubles.value.has(each.id) ? 'failure' : 'soft'}>
              {troubles.value.get(each.id) ?? hostOf(each)}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}
