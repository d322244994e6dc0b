import { packageVersion } from '../../kernel/index.ts'
import { html, raw, toMarkup } from '../content/markup.ts'
import { nameIn } from './components.ts'
import type { OpenApiDocument } from './openapi.ts'
import { operationHtml, responseHtml } from './page/operation.ts'
import { anchorOf, paragraphs, prose, schemaHtml } from './page/schema.ts'
import { script } from './page/script.ts'
import { style } from './page/style.ts'
import type { Resolve } from './parts.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Renders the API description as an HTML page.
 *
 * A single file that loads nothing: sections unfold with `<details>`, and links to them unfold them. A script
 * adds search, copy buttons and the address in use; the page works without it. Viewers such as Scalar and Redoc
 * would add a script of 3.6 or 1.1 MB and over twenty packages to every installation.
 */
export function docsPage(document: OpenApiDocument): string {
  const { info, components } = document
  const resolve: Resolve = (ref) => components.schemas[nameIn(ref)] ?? {}
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<details>
<summary><span class="method">schema</span><code class="path">${name}</code><span class="what">${prose(schema.description ?? '')}</span></summary>
<div class="inside" id="${anchorOf(name)}">${schemaHtml(schema)}</div>
</details>
`,
  )
  const refusals = Object.entries(components.responses).map(
    ([name, response]) => html`<div id="refused-${name}">${responseHtml(name, response)}</div>`,
  )
  const sections = [
    ...document.tags.map(({ name, description }) => ({
      name,
      intro: html`${prose(description)}`,
      cards: routesOf(document, name).map((route) => operationHtml(route, resolve)),
    })),
    { name: 'Refusals', intro: html`What every route may answer.`, cards: refusals },
    { name: 'Schemas', intro: html`What several routes have in common.`, cards: schemas },
  ].filter(({ cards }) => cards.length > 0)
  return toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${packageVersion}</title>
<style>${raw(style)}</style>
</head>
<body>
<div class="frame">
<nav aria-label="Groups of routes">
<input id="search" type="search" placeholder="Search" aria-label="Search routes and schemas" autocomplete="off" hidden>
<ul>
${sections.map(
  ({ name, cards }) =>
    html`<li><a href="#${groupAnchor(name)}">${name} <span class="count">${cards.length}</span></a></li>`,
)}
</ul></nav>
<main>
<header>
<h1>${info.title} <span class="version">${packageVersion}</span></h1>
${paragraphs(info.description)}
<p>The same as an <a href="docs/json">OpenAPI 3.1 document</a>, version ${info.version} of the API. The examples below are about the site of
<code>npx content-orchestrator serve --demo</code>; those of History undo what the one of <code>POST /ops</code> did. They read these variables:</p>
<pre><code>export ORCHESTRATOR_URL=<span id="address">http://localhost:4200</span>
export ORCHESTRATOR_ACCESS_TOKEN=
export PUBLISH_TOKEN=</code></pre>
</header>
${sections.map(
  ({ name, intro, cards }) => html`<section id="${groupAnchor(name)}">
<h2>${name}</h2>
<p>${intro}</p>
<div class="cards">
${cards}</div>
</section>
`,
)}</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`)
}

/** Returns the routes under a tag, by path; on each path, reads before writes. */
function routesOf({ paths }: OpenApiDocument, tag: string) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(tag) ? [{ path, method, operation }] : []
    }),
  )
}

const groupAnchor = (tag: string): string => `tag-${encodeURIComponent(tag.replaceAll(/\s+/g, '-'))}`
