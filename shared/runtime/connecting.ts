import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { SECOND } from './time.ts';

/**
 * Imported by whatever connects to hosts of others. Node tries the addresses of a name one after the other and gives each
 * but the last 250 ms: too little for a host on another continent, or one whose first packet is lost and sent again after a
 * second. Of a name with an IPv6 address, which Lambda cannot reach, that would be the only address that works.
 */
setDefaultAutoSelectFamilyAttemptTimeout(2 * SECOND);
