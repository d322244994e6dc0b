import type { Framework } from '../../../plugins/sites-agent/install/framework.ts'
import { frameworkOf, frameworks } from '../../../plugins/sites-agent/install/frameworks.ts'
import type { Project } from '../../../plugins/sites-agent/install/project.ts'
import { UsageError } from '../shared/command.ts'
import { hint } from '../../nearest.ts'

export const frameworkNames: readonly string[] = frameworks.map(({ name }) => name)

/** The framework of this name, or else that of the project. */
export function chooseFramework(name: string | undefined, project: Project): Framework {
  if (name === undefined) return frameworkOf(project)
  const named = frameworks.find((each) => each.name === name)
  if (named) return named
  throw new UsageError(`'--framework' knows no '${name}'${hint(name, frameworkNames)}; there are ${frameworkNames.join(', ')}`)
}
