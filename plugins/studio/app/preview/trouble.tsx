import type { ComponentChildren } from 'preact'
import { Button } from '../parts/button.tsx'
import { hasDocuments, isMissing, openPage, pages, slug, titleOf } from '../stores/draft.ts'
import { hasNone, hasNoPages, routes, whyNoPage } from '../stores/editor-routes.ts'
import { site } from '../stores/site.ts'
import { underSameName } from './loopback.ts'
import { connection } from './channel.ts'
import { framing, isOutdated, type Framing } from './framing.ts'
import { shown } from './hear.ts'

const published: Readonly<Record<string, string>> = {
  not_let_in:
    'This is the published page. The site did not let this editor in. Its DRAFT_MODE_SECRET is not the one that it registered: run npx content-orchestrator register in its folder.',
  no_secret:
    'This is the published page. The site has no DRAFT_MODE_SECRET: run npx content-orchestrator register in its folder.',
  orchestrator_unreachable:
    'This is the published page. The site cannot reach this service. Check its ORCHESTRATOR_URL.',
}

interface TroubleProps {
  readonly onReload: () => void
}

/** Whether the frame has nothing to show. */
export const isEmpty = (): boolean =>
  connection.value.state === 'silent' &&
  (isOutdated.value || (framing.value !== undefined && framing.value.state !== 'allowed'))

/** Says when the frame does not show the draft, and what to do. */
export function Trouble({ onReload }: TroubleProps) {
  const now = connection.value
  const other = shown.value
  if (now.state === 'connected' && other !== undefined && other !== slug.value)
    return (
      <Notice>
        The page has gone to {titleOf(other)} by itself.{' '}
        <Button onClick={() => void openPage(other)}>Open it</Button>{' '}
        <Button onClick={onReload}>Back to {titleOf(slug.value)}</Button>
      </Notice>
    )
  if (now.state === 'connected' || now.state === 'waiting') return null
  if (now.state === 'published') return <Notice>{<WhyPublished reason={now.reason} />}</Notice>
  if (isOutdated.value)
    return (
      <Notice>
        <b>This site was added after the studio was opened.</b> Reload the studio to show it.{' '}
        <Button onClick={() => location.reload()}>Load again</Button>
      </Notice>
    )
  const isRefused = framing.value !== undefined && framing.value.state !== 'allowed'
  // A site without pages has no page with the script.
  if (hasNoPages.value && !isRefused) return null
  // The code of a website of files makes pages that the draft does not have.
  const isNowhere = isMissing.value && pages.value.length > 0 && !hasDocuments.value
  if (isNowhere && !isRefused && !hasNone(routes.value)) return <Notice>{whyNoPage()}</Notice>
  return (
    <Notice>
      {framing.value && framing.value.state !== 'allowed' ? (
        <WhyEmpty framing={framing.value} />
      ) : hasNone(routes.value) ? (
        <p>
          <b>The site has no editor routes.</b> Run <code>npx content-orchestrator init</code> in its folder,
          start it again, then reload.
        </p>
      ) : (
        <Unconnected madeBy={site.value?.ownPages?.[slug.value]} />
      )}{' '}
      <Button onClick={onReload}>Reload</Button>
    </Notice>
  )
}

const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="trouble" role="status">
    {children}
  </div>
)

/** A page of the website itself has no blocks of the draft, whatever the outline shows. */
const Unconnected = ({ madeBy }: { readonly madeBy: string | undefined }) =>
  madeBy === undefined ? (
    <>
      <b>The preview is not connected.</b> The page has no script of the site SDK, or is still loading.
    </>
  ) : (
    <>
      <b>
        {slug.value} is made by <code>{madeBy}</code> of the website.
      </b>{' '}
      The content of this page is not shown there. Once it is published, let that file show the content, or
      remove it, and run <code>npx content-orchestrator register</code> again.
    </>
  )

/** A browser keeps the cookie of a draft from a frame of another site. */
function WhyPublished({ reason }: { readonly reason: string }) {
  const better = reason === 'not_let_in' ? underSameName(location.href, site.value?.previewUrl) : undefined
  if (better === undefined) return <p>{published[reason] ?? 'This is the published page.'}</p>
  return (
    <p>
      This is the published page. The browser keeps the draft from another host name. Open the studio at{' '}
      <a href={better}>{better}</a>
    </p>
  )
}

function WhyEmpty({ framing: { state, url, header, value, line } }: { readonly framing: Framing }) {
  if (state === 'elsewhere')
    return (
      <p>
        <b>The site leads to another address.</b> Register that one: <code>{URL.parse(url)?.origin}</code>
      </p>
    )
  if (state === 'unreachable')
    return (
      <p>
        <b>The site does not answer.</b> Start it at <code>{URL.parse(url)?.origin}</code>, then reload.
      </p>
    )
  return (
    <>
      <p>
        <b>The site refuses to be shown here.</b> It sends this header:
      </p>
      <pre>
        {titled(header)}: {value}
      </pre>
      <p>Let it send this line, then reload:</p>
      <pre>{line}</pre>
    </>
  )
}

/** The name of a header as it is usually written. */
const titled = (name = ''): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
