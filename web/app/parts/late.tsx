import type { FunctionComponent } from 'preact';
import { useLoaded } from './loaded.ts';
import { Loading } from './loading.tsx';
import { PartNotLoaded } from './problem.tsx';

/** A part of the page that is loaded when it is first shown. */
export function late<Props extends object>(
  load: () => Promise<{ Part: FunctionComponent<Props> }>,
): FunctionComponent<Props> {
  return (props) => {
    const { value, thrown } = useLoaded(load);
    if (value) return <value.Part {...props} />;
    return thrown === null ? <Loading /> : <PartNotLoaded />;
  };
}
