/** The frame of a page: header and footer. */
import { html, type Html } from '../../content/markup.ts'
import type { Navigation, NavLink } from '../../content/navigation.ts'
import { headingOf, text, type BlockRenderer, type View } from './parts.ts'
import { pageLink, safeFile, safeLink } from './url.ts'

export const siteHeader: BlockRenderer = ({ props, rows, mark }) => {
  const active = text(props, 'activePath')
  const isActive = ({ props }: View) => active !== '' && text(props, 'href') === active
  const linkOf = (row: View) =>
    menuLink(text(row.props, 'label'), safeLink(row.props['href']), isActive(row), row.mark('label'))
  const links = rows('links').map((row) => {
    const children = row.rows('children')
    if (children.length === 0) return linkOf(row)
    return menuGroup(text(row.props, 'label'), children.map(linkOf), children.some(isActive))
  })
  return headerBar(text(props, 'siteName'), props['logoUrl'], links, mark)
}

/** Renders the header of a page without a header block. */
export function derivedHeader({ name, logo, items }: Navigation): Html {
  const linkOf = ({ label, slug, active }: NavLink) => menuLink(label, pageLink(slug), active)
  const links = items.map((item) =>
    'children' in item ? menuGroup(item.label, item.children.map(linkOf), item.active) : linkOf(item),
  )
  return html`<header class="site-header" data-block-chrome="true">
    ${headerBar(name, logo, links)}
  </header>`
}

export const footer: BlockRenderer = ({ props, inner, rows, mark }) => html`<div class="footer-columns">
    ${rows('columns').map(
      (column) => html`<div>
      ${headingOf(column, 'title', inner)}
      <ul>${linksOf(text(column.props, 'links'))}</ul>
    </div>`,
    )}
  </div>
  <p class="muted"${mark('copyright')}>${text(props, 'copyright')}</p>`

function headerBar(
  name: string,
  logo: unknown,
  links: readonly Html[],
  mark: View['mark'] = () => html``,
): Html {
  const address = safeFile(logo)
  const image =
    address !== undefined && html`<picture${mark('logoUrl')}><img src="${address}" alt=""></picture>`
  return html`<div class="bar">
    <a class="brand" href="/">${image}<span${mark('siteName')}>${name}</span></a>
    ${links.length > 0 && html`<nav aria-label="Main"><ul>${links}</ul></nav>`}
  </div>`
}

function menuLink(label: string, href: string, active: boolean, mark: Html = html``): Html {
  return html`<li><a href="${href}"${active && html` aria-current="page"`}${mark}>${label}</a></li>`
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
