import * as v from 'valibot'
import { clock, countOption, definePlugin, optional } from '../../kernel/index.ts'
import { blobs } from '../blobs/port.ts'
import { dismissals } from './dismissals/port.ts'
import { drafts, toCommitContext } from '../draft/port.ts'
import { AddressVariables, publicBase } from '../media/port.ts'
import { outbound } from '../outbound/port.ts'
import { publishChecks } from '../publish/port.ts'
import { scope } from '../scope/port.ts'
import { mountPath, registeredOrigin, sites } from '../sites/port.ts'
import { features } from '../health/status/port.ts'
import { store } from '../store/port.ts'
import { createChecker } from './checker.ts'
import { createReports, only, publishObjection } from './report.ts'
import { createDeadLinks } from './external.ts'
import { byPageAndPlace } from './view/finding.ts'
import { createFixer } from './fix.ts'
import { checkIntegration, IntegrationVariables } from './integration.ts'
import { manifests } from './page-checker.ts'
import { checks, contentRules } from './port.ts'
import { findingNotFound, siteNotFound } from './refusals.ts'
import { routes } from './routes.ts'
import { builtinRules, ChecksVariables, toActiveRules } from './rules/index.ts'
import { deadLink } from './rules/links.ts'
import type { Rule } from './view/rule.ts'

/** Checks the content of drafts and fixes findings. */
export default definePlugin({
  name: 'checks',
  tag: 'Checks',
  options: v.object({ maxPages: countOption(20_000), maxDraftBytes: countOption(256 * 1024 * 1024) }),
  env: v.object({ ...ChecksVariables.entries, ...IntegrationVariables.entries, ...AddressVariables.entries }),
  needs: {
    store,
    clock,
    drafts,
    dismissals,
    scope,
    sites,
    blobs,
    outbound,
    mountPath: optional(mountPath),
    own: contentRules,
  },
  gives: { checks, features, hold: publishChecks },
  collections: [manifests],
  routes,
}).setup(({ needs, options, env, shape, log, production }) => {
  const { drafts, dismissals, scope, sites, outbound, clock } = needs
  const warn = (setting: string): void =>
    log.warn(
      { variable: 'CHECKS_CONFIG', setting },
      'unknown rule setting ignored, GET /checks/rules lists the valid ones',
    )
  const rules = toActiveRules([...builtinRules, ...needs.own], env.CHECKS_CONFIG, warn)
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const checker = createChecker({
    ...needs,
    rules,
    address: publicBase(env, { shape, mountPath: needs.mountPath }),
    ...options,
  })
  const reports = createReports({ checker, dismissals, clock, isRule: (id) => byId.has(id) })
  const fix = createFixer({ drafts, checker })
  const deadRule = byId.get(deadLink.id)
  const dead = deadRule && createDeadLinks({ outbound, rule: deadRule })

  return {
    gives: {
      checks: reports.checks,
      features: { checks: true },
      hold:
        env.CHECKS_BLOCK_PUBLISH === '1'
          ? {
              name: 'checks',
              code: 'checks_failed',
              check: async ({ id }) =>
                publishObjection(await reports.of(id, await checker.check(id), { severity: 'error' })),
            }
          : undefined,
    },
    handlers: {
      async list({ query }) {
        const id = scope.draft(query)
        const wanted = {
          slugs: only(query.slug),
          rules: only(query.rule),
          severity: query.severity,
          includeDismissed: query.includeDismissed === '1',
        }
        return { status: 200, body: await reports.of(id, await checker.check(id), wanted) }
      },
      async run({ body, signal }) {
        const id = scope.draft(body)
        const checked = await checker.check(id, body.componentsManifest)
        const wanted = { slugs: body.slugs && new Set(body.slugs), rules: body.rules && new Set(body.rules) }
        const found = (body.external && (await dead?.find(checked.site, signal))) || []
        const findings =
          found.length === 0
            ? checked.findings
            : [...checked.findings, ...found].toSorted(byPageAndPlace(checked.slugs))
        return { status: 200, body: await reports.of(id, { ...checked, findings }, wanted) }
      },
      rules: () => ({ status: 200, body: { rules: rules.map(toDocument) } }),
      async fix(call) {
        const id = scope.draft(call.body)
        const fixed = await fix(id, call.body, toCommitContext('/checks/fix', call, call.body.baseVersion))
        return { status: 200, body: { ...fixed, report: await reports.of(id, await checker.check(id)) } }
      },
      async dismiss({ body }) {
        const id = scope.draft(body)
        const { findingId, dismissed, note } = body
        const { findings, site } = await checker.check(id)
        const present = [...findings, ...(dead?.possible(site) ?? [])]
        const finding = present.find((each) => each.id === findingId)
        if (!finding) throw findingNotFound()
        await dismissals.set(id, finding, { dismissed, note }, present)
        return { status: 200, body: { ok: true, findingId, dismissed } }
      },
      async integration({ body }) {
        const id = scope.draft(body)
        const origin = await registeredOrigin(id, { sites, outbound, production })
        if (origin === undefined) throw siteNotFound()
        const hasSecret = (await sites.draftSecret(id.siteId)) !== undefined
        return { status: 200, body: await checkIntegration(outbound, origin, env, hasSecret) }
      },
    },
  }
})

const toDocument = ({ id, severity, title, fix, params }: Rule) => ({
  id,
  category: id.split('.', 1)[0] ?? id,
  severity,
  title,
  fix,
  params: Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? value : [...value]]),
  ),
})
