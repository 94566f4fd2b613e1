"""Moto on a loopback port, one call at a time: its DynamoDB restores whole tables when a transaction fails, and so
loses what others write meanwhile."""

import sys

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
