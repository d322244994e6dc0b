import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { withInterval } from '../../../../kernel/index.ts'
import { defineLoopTool, type LoopTool, toolAnswer } from '../../loop/port.ts'
import { toSiteId } from '../../../sites/port.ts'
import { Problem } from '../problem.ts'
import { agree, logWrite, type SiteRun } from '../run/site-run.ts'

const cloneMs = 120_000
const mostBytes = 500 * 1024 * 1024

/** Creates the tool that clones a public GitHub repository into the workspace. */
export function cloneTool(run: SiteRun): LoopTool {
  const {
    workspace,
    launcher,
    settings: { gitHost },
  } = run
  return defineLoopTool(
    {
      name: 'clone_repo',
      description:
        'Clones a public GitHub repository, given by its https address or as owner/name, into a new site ' +
        'of the workspace.',
      input: v.object({ url: v.pipe(v.string(), v.maxLength(300)), targetDir: v.optional(v.string()) }),
    },
    async ({ url, targetDir }, { signal }) => {
      const repository = toRepository(url)
      if (!repository)
        throw new Problem(
          'Only public repositories of GitHub can be cloned: use https://github.com/owner/name, or owner/name.',
        )
      const siteId = targetDir ?? toSiteId(repository.name)
      const address = `${gitHost}/${repository.owner}/${repository.name}.git`
      const allow = () =>
        agree(run, {
          question: `Clone ${address} to the new site '${siteId}'?`,
          key: `clone ${address} ${siteId}`,
          header: 'Clone',
          label: 'Clone',
          what: 'The clone',
        })
      await allow()
      const folder = await workspace.create(siteId)
      const tooLarge = new AbortController()
      const watch = (): void =>
        void isLarger(folder, mostBytes).then(
          (is) => is && tooLarge.abort(),
          () => undefined,
        )
      const safely = ['core.symlinks=false', `protocol.${gitHost.split(':', 1).join()}.allow=always`]
      const { exitCode, output } = await withInterval(1_000, watch, () =>
        launcher.launch({
          program: 'git',
          args: [
            ...safely.flatMap((each) => ['-c', each]),
            'clone',
            '--depth=1',
            '--single-branch',
            '--no-tags',
            '--no-recurse-submodules',
            '--template=',
            '--',
            address,
            '.',
          ],
          allow,
          folder,
          stream: run.streamId,
          tool: 'clone_repo',
          network: true,
          timeoutMs: cloneMs,
          signal: AbortSignal.any([signal, tooLarge.signal]),
        }),
      )
      await logWrite(run, 'clone_repo', siteId, '.')
      if (exitCode !== 0 || (await isLarger(folder, mostBytes))) {
        // An incomplete clone is useless.
        await rm(folder, { recursive: true, force: true })
        throw new Problem(`The repository could not be cloned within its limits: ${output.slice(-500)}`)
      }
      run.outcome('cloning', siteId)
      return toolAnswer({ status: 'cloned', siteId })
    },
  )
}

/** Parses the owner and name of a repository; ignores the rest of the address. */
export function toRepository(given: string): { readonly owner: string; readonly name: string } | undefined {
  const path = /^https:\/\/github\.com\/(.+)$/.exec(given.trim())?.[1] ?? given.trim()
  const [, owner, name] =
    /^([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))\/([A-Za-z0-9_][A-Za-z0-9._-]{0,99}?)(?:\.git)?\/?$/.exec(path) ?? []
  return owner === undefined || name === undefined ? undefined : { owner, name }
}

/** True if the files below a folder exceed `most` bytes in total. */
async function isLarger(folder: string, most: number): Promise<boolean> {
  let total = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile())
      total += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
    if (total > most) return true
  }
  return false
}
