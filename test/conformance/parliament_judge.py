"""Parliament's findings of IAM policies: a line for each, with the policy's name, the finding and where it is.

The file named in the argument holds a JSON object from names to policies.
"""

import json
import sys

from parliament import analyze_policy_string

with open(sys.argv[1], encoding="utf-8") as file:
    policies = json.load(file)

for name, policy in policies.items():
    judged = analyze_policy_string(json.dumps(policy), include_community_auditors=True)
    for finding in judged.findings:
        print(name, finding.issue, finding.detail, json.dumps(finding.location, default=str), sep="\t")
