export { type CmsName, cmsNames, cmsSteps, contentFile } from './cms.ts'
export {
  addToEnvFile,
  type KeptVariable,
  type Merged,
  mergeEnv,
  planEnvFile,
  readEnvFile,
  variablesIn,
} from './env-file.ts'
export { filesOf, type Host, hostOf, hosts } from './hosts.ts'
export { type ChosenPlaces, type Framework, type PlannedFile } from './framework.ts'
export { frameworkOf, frameworks } from './frameworks.ts'
export { integrate } from './integrate.ts'
export { notShown, type OwnPages, ownPages } from './own-pages.ts'
export { planFiles, type WantedFiles } from './plan.ts'
export { type Project, readProject, SiteFilesError } from './project.ts'
export { skeleton, skeletonVariables } from './skeleton.ts'
export { inspectPath, writeFiles } from './write-files.ts'
