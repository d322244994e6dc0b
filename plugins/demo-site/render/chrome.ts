/** The frame of a page: header and footer. */
import { html, type Html } from '../../content/markup.ts'
import { siteHeaderBlockId, type Navigation, type NavLink } from '../../content/navigation.ts'
import type { Props } from '../../content/page.ts'
import { heading, rows, text, type BlockRenderer } from './parts.ts'
import { pageLink, safeFile, safeLink } from './url.ts'

export const siteHeader: BlockRenderer = ({ props }) => {
  const active = text(props, 'activePath')
  const isActive = (row: Props) => active !== '' && text(row, 'href') === active
  const linkOf = (row: Props) => menuLink(text(row, 'label'), safeLink(row['href']), isActive(row))
  const links = rows(props, 'links').map((row) => {
    const children = rows(row, 'children')
    if (children.length === 0) return linkOf(row)
    return menuGroup(text(row, 'label'), children.map(linkOf), children.some(isActive))
  })
  return headerBar(text(props, 'siteName'), props['logoUrl'], links)
}

/** Renders the header of a page without a header block. */
export function derivedHeader({ name, logo, items }: Navigation): Html {
  const linkOf = ({ label, slug, active }: NavLink) => menuLink(label, pageLink(slug), active)
  const links = items.map((item) =>
    'children' in item ? menuGroup(item.label, item.children.map(linkOf), item.active) : linkOf(item),
  )
  return html`<header class="site-header" data-block-id="${siteHeaderBlockId}" data-block-type="SiteHeader">
    ${headerBar(name, logo, links)}
  </header>`
}

export const footer: BlockRenderer = ({ props, inner }) => html`<div class="footer-columns">
    ${rows(props, 'columns').map(
      (column) => html`<div>
      ${heading(inner, text(column, 'title'))}
      <ul>${linksOf(text(column, 'links'))}</ul>
    </div>`,
    )}
  </div>
  <p class="muted">${text(props, 'copyright')}</p>`

function headerBar(name: string, logo: unknown, links: readonly Html[]): Html {
  const address = safeFile(logo)
  const image = address !== undefined && html`<img src="${address}" alt="">`
  return html`<div class="bar">
    <a class="brand" href="/">${image}<span>${name}</span></a>
    ${links.length > 0 && html`<nav aria-label="Main"><ul>${links}</ul></nav>`}
  </div>`
}

function menuLink(label: string, href: string, active: boolean): Html {
  return html`<li><a href="${href}"${active && html` aria-current="page"`}>${label}</a></li>`
}

/** Renders a menu entry that opens a submenu; only one is open at a time. */
function menuGroup(label: string, links: readonly Html[], active: boolean): Html {
  return html`<li><details name="menu">
    <summary${active && html` class="active"`}>${label}</summary>
    <ul>${links}</ul>
  </details></li>`
}

/** Renders the `Label|URL` lines of a footer column. */
function linksOf(lines: string): readonly Html[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [label = '', url = ''] = line.split('|', 2)
      return html`<li><a href="${safeLink(url)}">${label.trim()}</a></li>`
    })
}
