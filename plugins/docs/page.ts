import { html, raw, toMarkup, type Html } from '../content/markup.ts'
import { packageVersion } from '../../kernel/index.ts'
import type { JsonSchema, OperationMethod } from './document.ts'
import type { OpenApiDocument } from './openapi.ts'
import { operationHtml } from './page/operation.ts'
import { anchorOf, type Field, fieldsHtml, paragraphs, prose, schemaHtml } from './page/schema.ts'
import { script } from './page/script.ts'
import { style } from './page/style.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const satisfies readonly OperationMethod[]

/**
 * Renders the API description as an HTML page.
 *
 * A single file that loads nothing: sections unfold with `<details>`, and links to them unfold them. A script
 * adds search, copy buttons and the address in use; the page works without it. Viewers such as Scalar and Redoc
 * would add a script of 3.6 or 1.1 MB and over twenty packages to every installation.
 */
export function docsPage(document: OpenApiDocument): string {
  const { info, components } = document
  const groups = document.tags
    .map((tag) => ({ ...tag, routes: routesOf(document, tag.name) }))
    .filter(({ routes }) => routes.length > 0)
  const schemas = Object.entries(components.schemas)
  const page = html`<!doctype html>
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
<output id="found" for="search"></output>
<ul>
${groups.map((group) => groupLink(group.name, group.routes.length))}<li><a href="#all-gates">Gates</a></li>
<li><a href="#all-schemas">Schemas <span class="count">${schemas.length}</span></a></li>
</ul></nav>
<main>
<header>
<h1>${info.title} <span class="version">${packageVersion}</span></h1>
${paragraphs(info.description)}
<p>The same as an <a href="docs/json">OpenAPI 3.1 document</a>, version ${info.version} of the API. The examples below are about the site of
<code>npx content-orchestrator serve --demo</code>; those of History undo what the one of <code>POST /ops</code> did. They read these variables:</p>
<pre><code>export ORCHESTRATOR_URL=<span id="address">http://127.0.0.1:4200</span>
export ORCHESTRATOR_ACCESS_TOKEN=
export PUBLISH_TOKEN=</code></pre>
</header>
${groups.map(
  ({ name, description, routes }) => html`<section id="${groupAnchor(name)}">
<h2>${name}</h2>
<p>${prose(description)}</p>
<div class="cards">
${routes.map(({ path, method, operation }) => operationHtml(document, path, method, operation))}</div>
</section>
`,
)}${gatesHtml(document)}
<section id="all-schemas">
<h2>Schemas</h2>
<p>What several routes have in common.</p>
<div class="cards">
${schemas.map(([name, schema]) => sharedHtml(name, schema))}</div>
</section>
</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`
  return toMarkup(page)
}

const groupLink = (name: string, count: number): Html =>
  html`<li><a href="#${groupAnchor(name)}">${name} <span class="count">${count}</span></a></li>`

/** Returns the routes under a tag, by path; on each path, reads before writes. */
function routesOf({ paths }: OpenApiDocument, tag: string) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(tag) ? [{ path, method, operation }] : []
    }),
  )
}

function sharedHtml(name: string, schema: JsonSchema): Html {
  return html`<details>
<summary><span class="method">schema</span><code class="path">${name}</code><span class="what">${prose(schema.description ?? '')}</span></summary>
<div class="inside" id="${anchorOf(name)}">${schemaHtml(schema)}</div>
</details>
`
}

function gatesHtml({ components }: OpenApiDocument): Html {
  const fields = Object.values(components.securitySchemes).map((scheme): Field => {
    const [name, type] =
      scheme.type === 'apiKey' ? [scheme.name, scheme.in] : [`authorization: ${scheme.scheme}`, 'header']
    return { name, schema: { type }, required: true, note: scheme.description }
  })
  return html`<section id="all-gates">
<h2>Gates</h2>
<p>Every route names the gate that decides who may call it. A credential travels in one of these ways:</p>
${fieldsHtml(fields)}</section>`
}

const groupAnchor = (tag: string): string => `tag-${encodeURIComponent(tag.replaceAll(/\s+/g, '-'))}`
