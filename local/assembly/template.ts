/** A CloudFormation template as JSON, and the error for one that cannot run here. */
import { CannotStart } from '../cannot-start.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, Json>;
  DependsOn?: string | string[];
  Condition?: string;
  Metadata?: Record<string, Json>;
}

export interface Template {
  Resources: Record<string, TemplateResource>;
  Mappings?: Record<string, Record<string, Record<string, Json>>>;
  Conditions?: Record<string, Json>;
  Outputs?: Record<string, { Value: Json }>;
}

/** A problem of the stack, described for its author. */
export class StackError extends CannotStart {
  override name = 'StackError';
}

export function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The resource's construct path, which says more than its logical id. */
export function describe(id: string, resource: TemplateResource): string {
  const path = resource.Metadata?.['aws:cdk:path'];
  return `${typeof path === 'string' ? path.replace(/\/Resource$/, '') : id} (${resource.Type})`;
}
